//! What can go to another thread, and be shared by several: checked by the compiler alone.

use serde_npy::{
    Array, ByteOrder, BytesAs, Category, Columns, DType, Deserializer, Elements, Error, Field, Follow, Header, Kind,
    Limits, LongDouble, Progress, ReadOptions, Reader, Records, Scalar, Serializer, Struct, Subarray, TimeUnit,
    Version, View, WriteOptions, Writer, with,
};
use std::fs::File;

const fn send<T: Send>() {}
const fn send_and_sync<T: Send + Sync>() {}

/// Compiles only where none of the types has the trait: which of the two functions is meant is else not clear.
macro_rules! not {
    ($trait:ident: $($type:ty),*) => {{
        trait Ambiguous<Marker> {
            fn which() {}
        }
        struct Has;
        impl<T: ?Sized> Ambiguous<()> for T {}
        impl<T: ?Sized + $trait> Ambiguous<Has> for T {}
        $(let _: fn() = <$type as Ambiguous<_>>::which;)*
    }};
}

/// What describes arrays, and what holds or borrows values, is plain data.
const _: () = {
    send_and_sync::<Array<String>>();
    send_and_sync::<ByteOrder>();
    send_and_sync::<BytesAs>();
    send_and_sync::<Category>();
    send_and_sync::<Columns<String>>();
    send_and_sync::<DType>();
    send_and_sync::<Error>();
    send_and_sync::<Field>();
    send_and_sync::<Header>();
    send_and_sync::<Kind>();
    send_and_sync::<Limits>();
    send_and_sync::<LongDouble>();
    send_and_sync::<Progress>();
    send_and_sync::<ReadOptions>();
    send_and_sync::<Scalar>();
    send_and_sync::<Serializer<File>>();
    send_and_sync::<Struct>();
    send_and_sync::<Subarray>();
    send_and_sync::<TimeUnit>();
    send_and_sync::<Version>();
    send_and_sync::<View<'_>>();
    send_and_sync::<WriteOptions>();
};

/// The helpers are names at most.
const _: () = {
    send_and_sync::<with::Complex>();
    send_and_sync::<with::Datetime<with::Ns>>();
    send_and_sync::<with::F2>();
    send_and_sync::<with::Nan>();
    send_and_sync::<with::Of<f64>>();
    send_and_sync::<with::Raw>();
    send_and_sync::<with::Round>();
    send_and_sync::<with::S<3>>();
    send_and_sync::<with::Text>();
    send_and_sync::<with::TextN<3>>();
    send_and_sync::<with::Timedelta<with::Ms>>();
    send_and_sync::<with::U<3>>();
    send_and_sync::<with::V<3>>();
};

/// They go to another thread with what they read or write. With them goes the callback for progress, of which no more is
/// asked than that it can: they are not shared.
const _: () = {
    send::<Reader<File>>();
    send::<Writer<File>>();
    not!(Sync: Reader<File>, Writer<File>);
};

/// What reads element by element has what it has learnt of the type in cells, uncounted by others: it is made on the
/// thread that uses it, of a `Reader` or a `View` that has gone there. Of the reader behind a `Deserializer`, and of the
/// function that tells `Follow` to go on, nothing is asked either.
const _: () = {
    not!(Send: Deserializer<'static>, Elements<'static, u8>, Records<'static, File, u8>, Follow<'static, File, u8>);
    not!(Sync: Deserializer<'static>, Elements<'static, u8>, Records<'static, File, u8>, Follow<'static, File, u8>);
};

#[cfg(feature = "npz")]
const _: () = {
    use serde_npy::npz;

    send_and_sync::<npz::Compression>();
    send_and_sync::<npz::ReadOptions>();
    send_and_sync::<npz::Reader<File>>();
    send_and_sync::<npz::View<'_>>();
    send_and_sync::<npz::WriteOptions>();
    send_and_sync::<npz::Writer<File>>();
    send_and_sync::<npz::Elements<'_, File>>();
    // It shares the reader with the archive that it is a member of.
    not!(Send: npz::Member<'static>);
    not!(Sync: npz::Member<'static>);
};
