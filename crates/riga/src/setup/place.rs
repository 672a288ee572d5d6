//! Putting files in their place: the data directory and the configuration.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result};
use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::find::{Asset, Kind};

/// Copies what is found into a folder; the same thing in its new place. What is already there stays.
pub fn copy(asset: &Asset, folder: &Path, dry_run: bool) -> Result<Asset> {
    let files: Vec<PathBuf> = match asset.kind {
        Kind::Tablebases => tables(&asset.path)?,
        Kind::Book | Kind::Network => vec![asset.path.clone()],
    };
    let target = folder.join(match asset.kind {
        Kind::Book => "books",
        Kind::Tablebases => "tablebases",
        Kind::Network => "nets",
    });
    let mut path = target.clone();
    for file in &files {
        let name = file.file_name().context("a file has a name")?;
        let place = target.join(name);
        if asset.kind != Kind::Tablebases {
            path.clone_from(&place);
        }
        let is_there = fs::metadata(&place).is_ok_and(|there| {
            fs::metadata(file).is_ok_and(|original| original.len() == there.len())
        });
        if dry_run || is_there {
            continue;
        }
        fs::create_dir_all(&target).with_context(|| target.display().to_string())?;
        // A copy that was interrupted must not look whole.
        let unfinished = target.join(format!("{}.part", name.to_string_lossy()));
        fs::copy(file, &unfinished).with_context(|| file.display().to_string())?;
        fs::rename(&unfinished, &place).with_context(|| place.display().to_string())?;
    }
    Ok(Asset { path, ..asset.clone() })
}

fn tables(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let is_table = |path: &PathBuf| {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("rtbw") || end.eq_ignore_ascii_case("rtbz"))
    };
    Ok(entries.flatten().map(|entry| entry.path()).filter(is_table).collect())
}

/// The text of a configuration with these files in it; everything else in it stays as it is.
pub fn configured(path: &Path, assets: &[Asset]) -> Result<String> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let mut document: DocumentMut =
        text.parse().with_context(|| format!("{} is damaged", path.display()))?;
    let first = |kind: Kind| assets.iter().find(|asset| asset.kind == kind);
    if let Some(book) = first(Kind::Book) {
        let section = section(&mut document, "book");
        section["own_book"] = value(true);
        section["file"] = value(shown(&book.path));
    }
    let folders = assets.iter().filter(|asset| asset.kind == Kind::Tablebases);
    let mut folders: Vec<String> = folders.map(|asset| shown(&asset.path)).collect();
    folders.dedup();
    if !folders.is_empty() {
        section(&mut document, "tablebases")["path"] =
            value(folders.into_iter().collect::<Array>());
    }
    if let Some(net) = first(Kind::Network) {
        section(&mut document, "evaluation")["file"] = value(shown(&net.path));
    }
    Ok(document.to_string())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn section<'a>(document: &'a mut DocumentMut, name: &str) -> &'a mut Item {
    let item = document.entry(name).or_insert_with(|| Item::Table(Table::new()));
    if !item.is_table_like() {
        *item = Item::Table(Table::new());
    }
    item
}

/// Writes a file as a whole or not at all.
pub fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let unfinished = path.with_extension("toml.part");
    fs::write(&unfinished, text).with_context(|| unfinished.display().to_string())?;
    fs::rename(&unfinished, path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asset(kind: Kind, path: &str) -> Asset {
        Asset { kind, path: PathBuf::from(path), about: String::new(), size: 1 }
    }

    #[test]
    fn a_configuration_keeps_what_it_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("riga.toml");
        fs::write(&path, "# mine\n[search]\nthreads = 2 # both\n[book]\nown_book = false\n")
            .expect("a file");
        let assets = [
            asset(Kind::Book, "/b/x.bin"),
            asset(Kind::Tablebases, "/t/5"),
            asset(Kind::Tablebases, "/t/6"),
        ];
        let text = configured(&path, &assets).expect("valid");
        for part in [
            "# mine",
            "threads = 2 # both",
            "own_book = true",
            "\"/b/x.bin\"",
            "[\"/t/5\", \"/t/6\"]",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        fs::write(&path, "[search").expect("a file");
        assert!(configured(&path, &assets).is_err());
    }

    #[test]
    fn files_are_copied_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.bin");
        fs::write(&file, b"0123456789abcdef").expect("a file");
        let data = folder.path().join("data");
        let found = asset(Kind::Book, file.to_str().expect("UTF-8"));
        let planned = copy(&found, &data, true).expect("a place");
        assert!(!data.exists(), "nothing was changed");
        let copied = copy(&found, &data, false).expect("a copy");
        assert_eq!(planned, copied);
        assert_eq!(fs::read(&copied.path).expect("a file"), b"0123456789abcdef");
    }
}
