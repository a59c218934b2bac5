import { promisify } from 'node:util'
import { constants, inflate } from 'node:zlib'
import { ContentError } from './byte-reader.ts'

const unpack = promisify(inflate)

/** Names of the actions, scripts and attachments a PDF can contain. */
const active =
  /\/(?:JavaScript|Launch|EmbeddedFiles?|Filespec|RichMedia|RichMediaContent|XFA|SubmitForm|ImportData|GoToE|Rendition|Movie|Sound|3D|NeedsRendering)(?![A-Za-z])|\/JS\s*(?:\(|<|\d+\s+\d+\s+R)/
/** Filters that no producer uses for objects, or that are named where we do not look. */
const otherFilters = /\/(?:ASCII\w+|A85|AHx|LZW\w*|RunLengthDecode|RL|Crypt|DecodeParms|DP)(?![A-Za-z])|\/Filter\s+\d/
/** Total size of all streams when inflated: a scanned 10 MB page has less, a bomb more. */
const maxUnpacked = 100_000_000
/** Maximum number of bytes scanned for names; pictures may be longer, object streams may not. */
const mostRead = 8_000_000
const maxStreams = 5_000
/** Total length of what stands before streams, in lengths of the file: each once, unless it is made to be read again and again. */
const mostHeads = 2

/**
 * Refuses a PDF that has active content or attachments, is encrypted, or is a polyglot. Objects may be in compressed
 * streams, so each is inflated and scanned too; a stream that could hide objects in another way is refused. Takes up to seconds,
 * in proportion to the length.
 * @throws ContentError
 */
export async function inspectPdf(pdf: Buffer): Promise<void> {
  const text = pdf.toString('latin1')
  if (!/^%PDF-[12]\.\d[\r\n ]/.test(text) || !/%%EOF\s*$/.test(text.slice(-2048))) throw new ContentError('damaged', 'not a whole PDF')
  // A page before its first object, or an archive after its last.
  if (/<(?:script|html|svg|\?php|!doctype)/i.test(text.slice(0, 2048)) || text.includes('PK\x05\x06', Math.max(0, text.length - 70_000)))
    throw new ContentError('active-content', 'a polyglot of two types')
  const plain = unescaped(text)
  if (/\/Encrypt(?![A-Za-z])/.test(plain)) throw new ContentError('active-content', 'encrypted, so it cannot be inspected')
  refuseActive(plain)
  let unpacked = 0
  let streams = 0
  let heads = 0
  for (const { head, body } of streamsOf(text, pdf)) {
    if (++streams > maxStreams) throw new ContentError('active-content', 'too many streams to inspect')
    heads += head.length
    if (heads > mostHeads * text.length) throw new ContentError('active-content', 'streams without an end')
    const dictionary = unescaped(head)
    const holdsObjects = /\/ObjStm(?![A-Za-z])|\/First\s+\d+(?!\d|\s+\d+\s+R)/.test(dictionary)
    if (holdsObjects && (otherFilters.test(dictionary) || dictionary.split('/Fl').length > 2))
      throw new ContentError('active-content', 'objects packed with an unusual filter')
    if (!couldBePacked(body)) continue
    const content = await unpack(body, { maxOutputLength: maxUnpacked - unpacked, finishFlush: constants.Z_SYNC_FLUSH }).catch(tooLarge)
    unpacked += content.length
    if (content.length <= mostRead) refuseActive(unescaped(content.toString('latin1')))
    else if (holdsObjects) throw new ContentError('active-content', 'too many objects to inspect')
  }
}

/** A stream that cannot be inflated is skipped: no PDF reader could open it either. */
function tooLarge(error: NodeJS.ErrnoException): Buffer {
  if (error.code === 'ERR_BUFFER_TOO_LARGE') throw new ContentError('active-content', 'inflates to more than can be inspected')
  return Buffer.alloc(0)
}

function refuseActive(text: string): void {
  const found = active.exec(text)
  if (found) throw new ContentError('active-content', `a PDF containing ${found[0].slice(0, 20)}`)
}

/** `/J#61vaScript` is `/JavaScript`. */
function unescaped(text: string): string {
  return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const couldBePacked = (body: Buffer): boolean => ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0

/** Each stream with everything since the previous one; its dictionary comes last in that part. */
function* streamsOf(text: string, pdf: Buffer): Generator<{ head: string; body: Buffer }> {
  const start = /stream(?:\r\n|\n|\r)/g
  let before = 0
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const at = found.index + found[0].length
    if (text.slice(found.index - 3, found.index) === 'end') before = at
    else yield { head: text.slice(before, found.index), body: pdf.subarray(at) }
  }
}
