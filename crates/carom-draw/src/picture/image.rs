//! A picture in memory, and pictures as files: one as PNG, several as an animated PNG.
//!
//! Of each frame of an animation only what is not as before is stored.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use png::{BitDepth, BlendOp, ColorType, Compression, DisposeOp, Encoder, Writer};

/// A picture: red, green and blue of each pixel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Three bytes per pixel.
    pub rgb: Vec<u8>,
}

impl Image {
    /// The bytes of a PNG file.
    #[must_use]
    pub fn to_png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        let mut writer = encoder.write_header().expect("memory takes all bytes");
        writer.write_image_data(&self.rgb).expect("an image has all its pixels");
        writer.finish().expect("memory takes all bytes");
        bytes
    }

    /// Red, green and blue of the pixel in this column and row.
    #[must_use]
    pub fn pixel(&self, column: u32, row: u32) -> [u8; 3] {
        let at = 3 * (row as usize * self.width as usize + column as usize);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }
}

/// Bytes that are still there when their writer is gone.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An animated PNG file as it grows.
pub struct Film {
    sink: Sink,
    writer: Writer<Sink>,
    last: Option<Image>,
    frames: u32,
    added: u32,
    per_second: u16,
}

/// How long the last frame is shown before the animation starts again, in s.
const REST_S: u16 = 1;

impl Film {
    /// A film of so many frames of the size of `first`, so many of them a second; it starts over when it ends.
    #[must_use]
    pub fn new(first: &Image, frames: u32, per_second: u16) -> Self {
        let sink = Sink::default();
        let mut encoder = Encoder::new(sink.clone(), first.width, first.height);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        encoder.set_animated(frames.max(1), 0).expect("a film has at least one frame");
        let writer = encoder.write_header().expect("memory takes all bytes");
        Self { sink, writer, last: None, frames: frames.max(1), added: 0, per_second: per_second.max(1) }
    }

    /// Adds a frame.
    ///
    /// # Panics
    /// If it has another size than the first, or there are more than were announced.
    pub fn add(&mut self, image: &Image) {
        self.added += 1;
        let [left, top, right, bottom] =
            self.last.as_ref().map_or([0, 0, image.width, image.height], |last| {
                assert_eq!(
                    (last.width, last.height),
                    (image.width, image.height),
                    "all frames have one size"
                );
                changed(last, image)
            });
        let writer = &mut self.writer;
        let delay = if self.added == self.frames { (REST_S, 1) } else { (1, self.per_second) };
        writer.set_frame_delay(delay.0, delay.1).expect("the film is animated");
        writer.set_dispose_op(DisposeOp::None).expect("the film is animated");
        if self.last.is_some() {
            writer.reset_frame_position().expect("a frame begins in the corner");
            writer.set_frame_dimension(right - left, bottom - top).expect("a part of the picture");
            writer.set_frame_position(left, top).expect("a part of the picture");
            writer.set_blend_op(BlendOp::Over).expect("the film is animated");
        }
        let mut bytes = Vec::with_capacity(4 * ((right - left) * (bottom - top)) as usize);
        for (row, column) in (top..bottom).flat_map(|row| (left..right).map(move |column| (row, column))) {
            let pixel = image.pixel(column, row);
            let is_new = self.last.as_ref().is_none_or(|last| last.pixel(column, row) != pixel);
            // What is as before is not painted, and compresses to nothing.
            bytes.extend(if is_new { [pixel[0], pixel[1], pixel[2], 255] } else { [0; 4] });
        }
        writer.write_image_data(&bytes).expect("a frame has all its pixels");
        self.last = Some(image.clone());
    }

    /// The bytes of the file.
    ///
    /// # Panics
    /// If frames are missing.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        assert_eq!(self.added, self.frames, "a film has all its frames");
        self.writer.finish().expect("memory takes all bytes");
        self.sink.0.take()
    }
}

/// The rectangle of what differs between two pictures: left, top, right, bottom; one pixel if nothing does.
fn changed(last: &Image, image: &Image) -> [u32; 4] {
    let row_bytes = 3 * image.width as usize;
    let mut found = [image.width, image.height, 0, 0];
    for (row, (a, b)) in last.rgb.chunks(row_bytes).zip(image.rgb.chunks(row_bytes)).enumerate() {
        let differs = |(x, y): (&[u8], &[u8])| x != y;
        let (Some(first), Some(end)) =
            (a.chunks(3).zip(b.chunks(3)).position(differs), a.chunks(3).zip(b.chunks(3)).rposition(differs))
        else {
            continue;
        };
        let (first, end, row) = (first as u32, end as u32 + 1, row as u32);
        found = [found[0].min(first), found[1].min(row), found[2].max(end), row + 1];
    }
    if found[2] == 0 { [0, 0, 1, 1] } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(spot: u32) -> Image {
        let mut rgb = vec![255; 3 * 20 * 10];
        for column in spot..spot + 3 {
            rgb[3 * (4 * 20 + column as usize)] = 10;
        }
        Image { width: 20, height: 10, rgb }
    }

    #[test]
    fn a_film_shows_every_frame_as_it_was() {
        let frames = [image(2), image(3), image(3), image(15)];
        let mut film = Film::new(&frames[0], 4, 25);
        for frame in &frames {
            film.add(frame);
        }
        let bytes = film.finish();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control.unwrap().num_frames, 4);
        let mut shown = vec![0_u8; 4 * 20 * 10];
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        for (number, expected) in frames.iter().enumerate() {
            reader.next_frame(&mut buffer).unwrap();
            let control = *reader.info().frame_control().unwrap();
            for (i, pixel) in buffer.chunks(4).take((control.width * control.height) as usize).enumerate() {
                let (x, y) = (
                    i as u32 % control.width + control.x_offset,
                    i as u32 / control.width + control.y_offset,
                );
                if pixel[3] == 255 {
                    let at = 4 * (y * 20 + x) as usize;
                    shown[at..at + 4].copy_from_slice(pixel);
                }
            }
            let colours: Vec<u8> = shown.chunks(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
            assert!(colours == expected.rgb, "frame {number}");
            assert_eq!(control.delay_num * 25 / control.delay_den, if number == 3 { 25 } else { 1 });
        }
    }

    #[test]
    fn a_picture_comes_back_from_its_file() {
        let written = image(7);
        let mut reader = png::Decoder::new(io::Cursor::new(written.to_png())).read_info().unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut buffer).unwrap();
        assert_eq!(buffer, written.rgb);
    }
}
