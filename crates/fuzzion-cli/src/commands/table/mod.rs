//! Commands about tables: `head` and `data`.

pub(crate) mod data;
pub(crate) mod head;
