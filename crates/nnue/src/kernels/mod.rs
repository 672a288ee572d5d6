//! The arithmetic of the network, for each kind of processor.
//!
//! All kernels compute the same integers; the best one that the processor supports is chosen at run
//! time. `portable.rs` defines the computation in plain Rust. The others compile its loops over
//! accumulators for wider registers, and have the layers after them written by hand.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod check;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

#[cfg(test)]
pub(crate) use check::some_weights;

use crate::layers::Layers;
use crate::net::{Input, Row};

/// A kernel that this processor supports.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Kernel(Kind);

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Kernel {
    /// Plain Rust, for any processor.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// All kernels that this processor supports, best last.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(
            not(any(
                target_arch = "x86_64",
                target_arch = "aarch64",
                all(target_arch = "wasm32", target_feature = "simd128")
            )),
            expect(unused_mut, reason = "this processor has one kernel only")
        )]
        let mut kernels = vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(Self(Kind::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
            {
                kernels.push(Self(Kind::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        kernels.push(Self(Kind::Neon));
        // A module either uses SIMD everywhere or is refused as a whole: nothing to detect.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernels.push(Self(Kind::Simd128));
        kernels
    }

    /// The best kernel for this processor.
    pub fn best() -> Self {
        *Self::available().last().expect("one is portable")
    }

    /// Its name, for display.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512 VNNI",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128 => "SIMD128",
        }
    }
}

/// The loops of `portable.rs` over accumulators, compiled for a processor.
#[cfg(target_arch = "x86_64")]
macro_rules! loops {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn shift(to: &mut Row, from: &Row, on: &Input, off: &Input) {
            portable::shift(to, from, on, off);
        }

        #[target_feature(enable = $features)]
        pub(super) fn capture(to: &mut Row, from: &Row, on: &Input, off: [&Input; 2]) {
            portable::capture(to, from, on, off);
        }

        #[target_feature(enable = $features)]
        pub(super) fn castle(to: &mut Row, from: &Row, on: [&Input; 2], off: [&Input; 2]) {
            portable::castle(to, from, on, off);
        }

        #[target_feature(enable = $features)]
        pub(super) fn change(to: &mut Row, inputs: &[Input], on: &[u16], off: &[u16]) {
            portable::change(to, inputs, on, off);
        }
    };
}
#[cfg(target_arch = "x86_64")]
use loops;

/// One method for each function of `portable.rs`, which dispatches to the kernel.
macro_rules! kernels {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        impl Kernel {
            $($(#[$doc])*
            #[inline]
            pub(crate) fn $name(self, $($arg: $type),*) $(-> $result)? {
                match self.0 {
                    Kind::Portable => portable::$name($($arg),*),
                    #[cfg(target_arch = "x86_64")]
                    #[expect(unsafe_code, reason = "needs a feature of the processor")]
                    // SAFETY: `available` is the only way to this kernel, and has seen AVX2.
                    Kind::Avx2 => unsafe { avx2::$name($($arg),*) },
                    #[cfg(target_arch = "x86_64")]
                    #[expect(unsafe_code, reason = "needs a feature of the processor")]
                    // SAFETY: `available` is the only way to this kernel, and has seen AVX-512.
                    Kind::Avx512 => unsafe { avx512::$name($($arg),*) },
                    #[cfg(target_arch = "aarch64")]
                    Kind::Neon => neon::$name($($arg),*),
                    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                    Kind::Simd128 => wasm::$name($($arg),*),
                }
            })*
        }
    };
}

kernels! {
    /// `to = from + on - off`
    fn shift(to: &mut Row, from: &Row, on: &Input, off: &Input);
    /// `to = from + on - off[0] - off[1]`
    fn capture(to: &mut Row, from: &Row, on: &Input, off: [&Input; 2]);
    /// `to = from + on[0] + on[1] - off[0] - off[1]`
    fn castle(to: &mut Row, from: &Row, on: [&Input; 2], off: [&Input; 2]);
    /// `to += sum of on - sum of off`
    fn change(to: &mut Row, inputs: &[Input], on: &[u16], off: &[u16]);
    /// The value of two accumulators, the side to move's first; 1.0 is `UNIT_ONE` times `LAST_ONE`.
    fn output(hidden: [&Row; 2], layers: &Layers) -> i32;
}

#[cfg(test)]
mod tests;
