//! Runs the Rust code of the documentation, in the folder `examples`.

// The test of the Python package fails if a page with Rust code is missing here.
macro_rules! pages {
    ($($name:ident = $path:literal)*) => { $(
        #[cfg(doctest)]
        #[doc = include_str!($path)]
        pub struct $name;
    )* };
}

pages! {
    Readme = "../../README.md"
    Clustering = "../../docs/src/clustering.md"
    Gpu = "../../docs/src/gpu.md"
    Images = "../../docs/src/images.md"
    Learning = "../../docs/src/learning.md"
    Numbers = "../../docs/src/numbers.md"
    Sets = "../../docs/src/sets.md"
    Sonfin = "../../docs/src/sonfin.md"
    Start = "../../docs/src/start.md"
    Systems = "../../docs/src/systems.md"
    Tables = "../../docs/src/tables.md"
}
