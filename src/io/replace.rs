//! Files that are complete or not there.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Writes the file at `path` by `write`; the old file stays as it is until the new one is complete.
///
/// As [`Replacement`] does it; but a target that is no regular file, such as a pipe or a device, is written directly.
pub(crate) fn replace(path: &Path, sync: bool, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let in_file = |error: Error| error.in_file(path);
    let io_error = |error| in_file(Error::io(error));

    let Some(mut replacement) = Replacement::new(path, sync)? else {
        let mut file = File::options().write(true).open(path).map_err(io_error)?;
        write(&mut file).map_err(in_file)?;
        return file.flush().map_err(io_error);
    };
    write(replacement.temporary.as_file_mut()).map_err(in_file)?;
    replacement.complete()
}

/// A new file beside the one that it shall replace; gone when it is dropped before it is complete.
///
/// Symbolic links are followed to the file they name; an existing file keeps its mode, a new one gets the usual mode
/// less the umask. With `sync`, the file and its name are on the disk once it is complete.
#[derive(Debug)]
pub(crate) struct Replacement {
    temporary: NamedTempFile,
    /// The path as it was given.
    path: PathBuf,
    target: PathBuf,
    /// The mode of the file that is there already.
    permissions: Option<fs::Permissions>,
    sync: bool,
}

impl Replacement {
    /// Makes the new file; `None` where the target is no regular file.
    pub(crate) fn new(path: &Path, sync: bool) -> Result<Option<Self>> {
        let io_error = |error| Error::io(error).in_file(path);
        let target = resolve(path).map_err(io_error)?;
        let permissions = match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(io_error(io::ErrorKind::IsADirectory.into())),
            Ok(metadata) if !metadata.is_file() => return Ok(None),
            Ok(metadata) => Some(metadata.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io_error(error)),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".").suffix(".npy.tmp");
        usual_mode(&mut builder);
        let folder = folder_of(&target);
        let temporary = builder.tempfile_in(folder).map_err(|error| io_error(no_file_in(folder, &error)))?;
        Ok(Some(Replacement { temporary, path: path.to_path_buf(), target, permissions, sync }))
    }

    /// The new file under another handle.
    pub(crate) fn file(&self) -> Result<File> {
        self.temporary.as_file().try_clone().map_err(|error| self.failed(error))
    }

    /// Puts the new file in the place of the old one.
    pub(crate) fn complete(self) -> Result<()> {
        self.prepare()?;
        let Replacement { temporary, path, target, sync, .. } = self;
        let io_error = |error| Error::io(error).in_file(&path);
        temporary.persist(&target).map_err(|error| io_error(error.error))?;
        if sync { sync_folder(folder_of(&target)).map_err(io_error) } else { Ok(()) }
    }

    /// Puts the new file in its place unless there is one by now; whether there was none.
    pub(crate) fn complete_new(self) -> Result<bool> {
        self.prepare()?;
        let Replacement { temporary, path, target, sync, .. } = self;
        let io_error = |error| Error::io(error).in_file(&path);
        match temporary.persist_noclobber(&target) {
            Ok(_) if sync => sync_folder(folder_of(&target)).map_err(io_error).map(|()| true),
            Ok(_) => Ok(true),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(io_error(error.error)),
        }
    }

    fn prepare(&self) -> Result<()> {
        let file = self.temporary.as_file();
        if let Some(permissions) = &self.permissions {
            file.set_permissions(permissions.clone()).map_err(|error| self.failed(error))?;
        }
        if self.sync { file.sync_all().map_err(|error| self.failed(error)) } else { Ok(()) }
    }

    #[cold]
    fn failed(&self, error: io::Error) -> Error {
        Error::io(error).in_file(&self.path)
    }
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Why there can be no file in a folder, without the name of the temporary one.
fn no_file_in(folder: &Path, error: &io::Error) -> io::Error {
    match fs::metadata(folder) {
        Err(error) => io::Error::new(error.kind(), format!("{error}: the folder `{}`", folder.display())),
        Ok(_) => error.kind().into(),
    }
}

/// The file that a path names in the end, also where the last link of a chain points to nothing yet.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    /// As many links as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&target) {
            Ok(metadata) if metadata.is_symlink() => {
                let link = fs::read_link(&target)?;
                target = target.parent().map_or(link.clone(), |parent| parent.join(link));
            }
            _ => return Ok(target),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

#[cfg(unix)]
fn usual_mode(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    // The umask is taken off by the system.
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn usual_mode(_builder: &mut tempfile::Builder<'_, '_>) {}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    // The rename itself is on the disk only once the folder is.
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
