import { crc32 } from 'node:zlib'
import { checkDimensions, ContentError, type ByteReader } from './byte-reader.ts'

const damaged = (why: string): ContentError => new ContentError('damaged', `not a PNG: ${why}`)

/** Chunks needed to render a picture correctly. Texts, times, Exif data, colour profiles and animations are removed. */
const kept = new Set(['IHDR', 'PLTE', 'IDAT', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'bKGD', 'pHYs'])
const mostSmallBytes = 4096

/** A PNG reduced to its picture, chunk by chunk with verified checksums; trailing bytes are removed. @throws ContentError */
export async function* cleanPng(reader: ByteReader): AsyncGenerator<Buffer> {
  yield await reader.take(8)
  let isFirst = true
  let hasData = false
  for (;;) {
    const head = await reader.take(8)
    const length = head.readUInt32BE()
    const type = head.subarray(4).toString('latin1')
    if (isFirst !== (type === 'IHDR') || !/^[A-Za-z]{4}$/.test(type)) throw damaged(`chunk ${JSON.stringify(type)}`)
    isFirst = false
    if (type === 'IHDR') {
      if (length !== 13) throw damaged('header')
      const header = await reader.peek(8)
      if (header.length < 8) throw damaged('header')
      checkDimensions(header.readUInt32BE(0), header.readUInt32BE(4))
    }
    if (type === 'IEND') {
      if (!hasData || length !== 0) throw damaged('no picture')
      yield Buffer.concat([head, checked(await reader.take(4), crc32(head.subarray(4)))])
      return
    }
    if (!kept.has(type)) {
      // Upper case marks a critical chunk: the picture cannot be shown without it, and we do not know it.
      if (/^[A-Z]/.test(type)) throw damaged(`chunk ${type}`)
      await reader.skip(length + 4)
      continue
    }
    if (type === 'IDAT') hasData = true
    else if (length > mostSmallBytes) throw damaged(`a long ${type}`)
    yield head
    let crc = crc32(head.subarray(4))
    for await (const part of reader.pass(length)) {
      crc = crc32(part, crc)
      yield part
    }
    yield checked(await reader.take(4), crc)
  }
}

function checked(given: Buffer, right: number): Buffer {
  if (given.readUInt32BE() !== right) throw damaged('a wrong checksum')
  return given
}
