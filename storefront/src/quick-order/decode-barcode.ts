// By file: the library's index brings all its formats, and its classes cannot be dropped by a bundler.
import BarcodeFormat from '@zxing/library/esnext/core/BarcodeFormat.js'
import BinaryBitmap from '@zxing/library/esnext/core/BinaryBitmap.js'
import GlobalHistogramBinarizer from '@zxing/library/esnext/core/common/GlobalHistogramBinarizer.js'
import DecodeHintType from '@zxing/library/esnext/core/DecodeHintType.js'
import Code128Reader from '@zxing/library/esnext/core/oned/Code128Reader.js'
import MultiFormatUPCEANReader from '@zxing/library/esnext/core/oned/MultiFormatUPCEANReader.js'
import RGBLuminanceSource from '@zxing/library/esnext/core/RGBLuminanceSource.js'

interface Pixels {
  data: Uint8ClampedArray
  width: number
  height: number
}

const hints = new Map<DecodeHintType, unknown>([
  [DecodeHintType.TRY_HARDER, true],
  [DecodeHintType.POSSIBLE_FORMATS, [BarcodeFormat.EAN_13, BarcodeFormat.UPC_A, BarcodeFormat.EAN_8]],
])

/** Decodes the EAN, UPC or Code 128 in a picture, lying or standing; null if there is none. */
export function decode(pixels: Pixels): string | null {
  const { width, height } = pixels
  const gray = grayOf(pixels)
  return decodeRows(gray, width, height) ?? decodeRows(turned(gray, width, height), height, width)
}

function decodeRows(gray: Uint8ClampedArray, width: number, height: number): string | null {
  for (const reader of [new MultiFormatUPCEANReader(hints), new Code128Reader()]) {
    const bitmap = new BinaryBitmap(new GlobalHistogramBinarizer(new RGBLuminanceSource(gray, width, height)))
    try {
      return reader.decode(bitmap, hints).getText()
    } catch {
      // The library throws where it finds nothing.
    }
  }
  return null
}

function grayOf({ data, width, height }: Pixels): Uint8ClampedArray {
  const gray = new Uint8ClampedArray(width * height)
  for (let at = 0; at < gray.length; at++) {
    const from = at * 4
    gray[at] = ((data[from] ?? 0) * 306 + (data[from + 1] ?? 0) * 601 + (data[from + 2] ?? 0) * 117) >> 10
  }
  return gray
}

/** A quarter turn. */
function turned(gray: Uint8ClampedArray, width: number, height: number): Uint8ClampedArray {
  const standing = new Uint8ClampedArray(gray.length)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) standing[x * height + (height - 1 - y)] = gray[y * width + x] ?? 0
  return standing
}
