//! The content of a page.

/// A page: a title, an introduction, sections and a footer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(super) title: String,
    pub(super) intro: Vec<String>,
    pub(super) sections: Vec<Section>,
    pub(super) footer: String,
}

/// A heading followed by blocks, in the order of the calls.
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

    /// Adds a paragraph before the table of contents.
    pub(crate) fn intro(mut self, text: impl Into<String>) -> Self {
        self.intro.push(text.into());
        self
    }

    /// Adds a section.
    pub(crate) fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// Sets the footer text, which follows the version.
    pub(crate) fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = text.into();
        self
    }
}

impl Section {
    /// An empty section.
    pub(crate) fn new(heading: impl Into<String>) -> Self {
        Section { heading: heading.into(), blocks: Vec::new() }
    }

    /// Adds a paragraph.
    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        self.block(Block::Text(text.into()))
    }

    /// Adds the shell command that produced the following blocks, ready to paste.
    pub(crate) fn command(self, command: impl Into<String>) -> Self {
        self.block(Block::Command(command.into()))
    }

    /// Adds the output of a command.
    pub(crate) fn output(self, output: impl Into<String>) -> Self {
        self.block(Block::Output(output.into()))
    }

    /// Adds an SVG chart with a caption below.
    pub(crate) fn figure(self, svg: impl Into<String>, caption: impl Into<String>) -> Self {
        self.block(Block::Figure { svg: svg.into(), caption: caption.into() })
    }

    /// Adds SVG charts side by side, wrapped to the screen width, with a caption below.
    pub(crate) fn gallery(self, svgs: Vec<String>, caption: impl Into<String>) -> Self {
        self.block(Block::Gallery { svgs, caption: caption.into() })
    }

    /// Adds a table; numeric columns are right-aligned.
    pub(crate) fn table<C: AsRef<str>>(self, headers: &[&str], rows: &[Vec<C>]) -> Self {
        let headers = headers.iter().map(|&header| header.to_owned()).collect();
        let cells = |row: &Vec<C>| row.iter().map(|cell| cell.as_ref().to_owned()).collect();
        self.block(Block::Table { headers, rows: rows.iter().map(cells).collect() })
    }

    /// Adds a highlighted note, such as a limitation, a warning or a source.
    pub(crate) fn note(self, text: impl Into<String>) -> Self {
        self.block(Block::Note(text.into()))
    }

    fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}
