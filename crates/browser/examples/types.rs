//! Prints the document from which the TypeScript types of the calls are generated.

fn main() {
    let document = serde_json::to_string_pretty(&browser::document()).expect("it is plain data");
    println!("{document}");
}
