//! Files that are complete or not there.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes the file at `path` by `write`; the old file stays as it is until the new one is complete.
///
/// The new file is made beside the old one and renamed over it. Symbolic links are followed to the file they name; an
/// existing file keeps its mode, a new one gets the usual mode less the umask. A target that is no regular file, such
/// as a pipe or a device, is written directly. With `sync`, the file and its name are on the disk on return.
pub(crate) fn replace(path: &Path, sync: bool, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let in_file = |error: Error| error.in_file(path);
    let io_error = |error| in_file(Error::io(error));

    let target = resolve(path).map_err(io_error)?;
    let existing = match fs::metadata(&target) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(io_error(error)),
    };
    if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        let mut file = File::options().write(true).open(&target).map_err(io_error)?;
        write(&mut file).map_err(in_file)?;
        return file.flush().map_err(io_error);
    }

    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".npy.tmp");
    usual_mode(&mut builder);
    let mut temporary = builder.tempfile_in(folder).map_err(io_error)?;
    write(temporary.as_file_mut()).map_err(in_file)?;
    if let Some(metadata) = existing {
        temporary.as_file().set_permissions(metadata.permissions()).map_err(io_error)?;
    }
    if sync {
        temporary.as_file().sync_all().map_err(io_error)?;
    }
    temporary.persist(&target).map_err(|error| io_error(error.error))?;
    if sync { sync_folder(folder).map_err(io_error) } else { Ok(()) }
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
