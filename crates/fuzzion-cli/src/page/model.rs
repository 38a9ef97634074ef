//! What a page holds.

/// A page under construction: a title, an introduction, sections, and a line at the foot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(super) title: String,
    pub(super) intro: Vec<String>,
    pub(super) sections: Vec<Section>,
    pub(super) footer: String,
}

/// A heading with what stands under it, in the order of the calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    pub(super) heading: String,
    pub(super) blocks: Vec<Block>,
}

/// One block of a section.
#[derive(Clone, Debug)]
pub(super) enum Block {
    Text(String),
    Command(String),
    Output(String),
    Figure { svg: String, caption: String },
    Gallery { svgs: Vec<String>, caption: String },
    Table { headers: Vec<String>, rows: Vec<Vec<String>> },
    Note(String),
}

impl Page {
    /// An empty page.
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Page { title: title.into(), ..Page::default() }
    }

    /// A paragraph before the table of contents.
    pub(crate) fn intro(mut self, text: impl Into<String>) -> Self {
        self.intro.push(text.into());
        self
    }

    /// The next section.
    pub(crate) fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// What the foot of the page says besides the version: the machine, the date.
    pub(crate) fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = text.into();
        self
    }
}

impl Section {
    /// A section with nothing under its heading yet.
    pub(crate) fn new(heading: impl Into<String>) -> Self {
        Section { heading: heading.into(), blocks: Vec::new() }
    }

    /// A paragraph.
    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        self.block(Block::Text(text.into()))
    }

    /// The shell command that made what follows, exactly as it can be typed.
    pub(crate) fn command(self, command: impl Into<String>) -> Self {
        self.block(Block::Command(command.into()))
    }

    /// What the command printed.
    pub(crate) fn output(self, output: impl Into<String>) -> Self {
        self.block(Block::Output(output.into()))
    }

    /// A picture from `fuzzion::plot`, set into the page as it is, with a caption below.
    pub(crate) fn figure(self, svg: impl Into<String>, caption: impl Into<String>) -> Self {
        self.block(Block::Figure { svg: svg.into(), caption: caption.into() })
    }

    /// Pictures side by side, as many as the screen has room for, with a caption below.
    pub(crate) fn gallery(self, svgs: Vec<String>, caption: impl Into<String>) -> Self {
        self.block(Block::Gallery { svgs, caption: caption.into() })
    }

    /// A table; columns that hold only numbers are aligned at their right.
    pub(crate) fn table<C: AsRef<str>>(self, headers: &[&str], rows: &[Vec<C>]) -> Self {
        let headers = headers.iter().map(|&header| header.to_owned()).collect();
        let cells = |row: &Vec<C>| row.iter().map(|cell| cell.as_ref().to_owned()).collect();
        self.block(Block::Table { headers, rows: rows.iter().map(cells).collect() })
    }

    /// A remark set apart: a limit, a warning, a source.
    pub(crate) fn note(self, text: impl Into<String>) -> Self {
        self.block(Block::Note(text.into()))
    }

    fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}
