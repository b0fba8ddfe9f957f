//! The formats of report files, and how a command line names them.

use std::path::{Path, PathBuf};

use super::file::ReportError;

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Everything, for programs: `.json`.
    Json,
    /// The same without what the corpus says, for a repository: no ending of its own.
    Compact,
    /// What CI servers read: `.xml`.
    Junit,
    /// For a step summary or a comment: `.md`.
    Markdown,
    /// What code scanning reads: `.sarif`.
    Sarif,
    /// What harnesses of the Perl family read: `.tap`.
    Tap,
    /// A row a case, for a spreadsheet: `.csv`.
    Csv,
    /// Annotations in a log of GitHub Actions: no ending.
    Github,
}

/// Where a report goes, and in which format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The format.
    pub format: Format,
    /// The file; none is stdout.
    pub file: Option<PathBuf>,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] = [
        Self::Json,
        Self::Compact,
        Self::Junit,
        Self::Markdown,
        Self::Sarif,
        Self::Tap,
        Self::Csv,
        Self::Github,
    ];

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Compact => "compact",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Sarif => "sarif",
            Self::Tap => "tap",
            Self::Csv => "csv",
            Self::Github => "github",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that a file's ending stands for.
    pub fn of_path(path: &Path) -> Result<Self, ReportError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let endings = [
            // Some tools write it so: before the ending that it has as well.
            (".sarif.json", Self::Sarif),
            (".sarif", Self::Sarif),
            (".json", Self::Json),
            (".xml", Self::Junit),
            (".md", Self::Markdown),
            (".tap", Self::Tap),
            (".csv", Self::Csv),
        ];
        let found = endings
            .into_iter()
            .find(|(ending, _)| name.strip_suffix(ending).is_some_and(|stem| !stem.is_empty()));
        let format = found.map(|(_, format)| format);
        format.ok_or_else(|| ReportError::UnknownFormat(path.to_owned()))
    }
}

impl Target {
    /// Reads `FILE`, whose ending decides, `FORMAT=FILE`, or `github`, which goes to stdout.
    ///
    /// ```
    /// use callfit::report::{Format, Target};
    ///
    /// let target = Target::parse("sarif=scan.json")?;
    /// assert_eq!((target.format, target.file), (Format::Sarif, Some("scan.json".into())));
    /// assert_eq!(Target::parse("github")?.file, None);
    /// # Ok::<(), callfit::report::ReportError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ReportError> {
        if text == Format::Github.name() {
            return Ok(Self { format: Format::Github, file: None });
        }
        if let Some((name, file)) = text.split_once('=')
            && let Some(format) = Format::from_name(name)
            && !file.is_empty()
        {
            return Ok(Self { format, file: Some(file.into()) });
        }
        let file = PathBuf::from(text);
        Ok(Self { format: Format::of_path(&file)?, file: Some(file) })
    }
}
