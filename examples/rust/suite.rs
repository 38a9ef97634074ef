//! Runs all examples; each checks its own results.

mod arithmetic;
mod build_system;
mod clustering;
mod images;
mod infer_file;
mod number_of_clusters;
mod sets;
mod sonfin;
mod sparse_rules;
mod tables;
mod tuning;

macro_rules! run {
    ($($example:ident)*) => { $(
        #[test]
        fn $example() {
            $example::main().unwrap();
        }
    )* };
}

run! {
    arithmetic build_system clustering images infer_file number_of_clusters sets sonfin sparse_rules tables tuning
}
