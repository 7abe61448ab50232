//! One member as an array: read by one deserializer, drained and checked.

use crate::de::{Deserializer, too_short};
use crate::error::{Category, Count, Error, Result};
use crate::header::Header;
use crate::npz::directory::{Entry, Packing};
use crate::npz::member::{Archive, Member, Opened, open, verify};
use crate::npz::options::ReadOptions;
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// Lets `read` have the array of a member. The rest of the member is read too, so that all of it is checked.
pub(crate) fn read_array<'de, T>(
    archive: &(impl Archive<'de> + ?Sized),
    entry: &Entry,
    options: &ReadOptions,
    read: impl FnOnce(&mut Deserializer<'de>) -> Result<T>,
) -> Result<T> {
    let whole = |mut deserializer: Deserializer<'de>| {
        let value = read(&mut deserializer)?;
        deserializer.end()?;
        Ok(value)
    };
    let attempt = || match open_whole(archive, entry, options)? {
        Opened::Slice(bytes) => {
            if options.verify {
                verify(bytes, entry)?;
            }
            Deserializer::from_slice_with(bytes, &options.array).and_then(whole)
        }
        Opened::Stream(member) => {
            let member = Rc::new(RefCell::new(member));
            let deserializer = Deserializer::from_reader_with(Handle(Rc::clone(&member)), &options.array);
            let short = deserializer.as_ref().ok().and_then(|found| fits(found.header(), entry).err());
            let value = match short {
                // Told before anything is inflated for nothing.
                Some(short) if entry.packing == Packing::Deflated => return Err(short),
                Some(short) => Err(short),
                None => deserializer.and_then(whole),
            };
            let rest = member.try_borrow_mut().map_or(Ok(()), |mut member| member.drain());
            match (value, rest) {
                (Ok(value), rest) => rest.map(|()| value),
                // Damaged data is why it makes no sense.
                (Err(_), Err(damage)) if matches!(damage.category(), Category::Syntax | Category::Eof) => Err(damage),
                (Err(error), _) => {
                    Err(if entry.packing == Packing::Deflated { error.out_of_deflated() } else { error })
                }
            }
        }
    };
    attempt().map_err(|error| error.in_member(entry.array_name()))
}

/// Refuses a header that promises more than its member has.
fn fits(header: &Header, entry: &Entry) -> Result<()> {
    let found = entry.size.saturating_sub(header.data_offset());
    if header.data_len() <= found { Ok(()) } else { Err(too_short(header, found)) }
}

/// Reads the header of a member, and nothing behind it.
pub(crate) fn read_header<'de>(
    archive: &(impl Archive<'de> + ?Sized),
    entry: &Entry,
    options: &ReadOptions,
) -> Result<Header> {
    let opened = open(archive, entry, false);
    let header = opened.and_then(|opened| Header::read_with(opened.stream(entry, false), &options.array));
    header.map_err(|error| error.in_member(entry.array_name()))
}

/// Opens a member as bytes.
pub(crate) fn open_stream<'de>(
    archive: &(impl Archive<'de> + ?Sized),
    entry: &Entry,
    options: &ReadOptions,
    name: &str,
) -> Result<Member<'de>> {
    let opened = open_whole(archive, entry, options).map_err(|error| error.in_member(name))?;
    Ok(opened.stream(entry, options.verify))
}

/// The member while a deserializer has it.
struct Handle<'de>(Rc<RefCell<Member<'de>>>);

impl Read for Handle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.try_borrow_mut().map_err(io::Error::other)?.read(buffer)
    }
}

/// Opens a member of which all will be read, so that what it inflates to matters.
fn open_whole<'de>(
    archive: &(impl Archive<'de> + ?Sized),
    entry: &Entry,
    options: &ReadOptions,
) -> Result<Opened<'de>> {
    let most = options.array.limits.max_inflated_size;
    if entry.packing == Packing::Deflated && entry.size > most {
        let message =
            format!("a member of {}, over the limit `max_inflated_size` of {most}", Count(entry.size, "byte"));
        return Err(Error::limit(message));
    }
    open(archive, entry, options.verify)
}
