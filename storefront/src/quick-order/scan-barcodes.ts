/** The reason why nothing was read. */
export type Problem = 'nothing' | 'denied' | 'absent' | 'busy' | 'broken'

const pauseMs = 120
/** Enough for the bars of a label in the hand; more only makes each look slower. */
const maxSide = 1280
/** A code that stays in view is one piece; it counts again after it was away for this long. */
const goneMs = 1500

const formats = ['ean_13', 'ean_8', 'upc_a', 'code_128']

/** Returns the first barcode on the canvas. */
type Detect = (canvas: HTMLCanvasElement) => Promise<string | null>

interface NativeDetector {
  detect(source: HTMLCanvasElement): Promise<{ rawValue: string }[]>
}
interface NativeDetectorClass {
  new (options: { formats: string[] }): NativeDetector
  getSupportedFormats(): Promise<string[]>
}

interface Scan {
  signal: AbortSignal
  onOpen: () => void
  onCode: (code: string) => void
}

/** Looks through the camera until it is stopped, and reports each code once while it is in view. */
export async function scanBarcodes(video: HTMLVideoElement, { signal, onOpen, onCode }: Scan): Promise<Problem | null> {
  const camera = await openCamera()
  if (typeof camera === 'string') return camera
  const turnOff = () => {
    for (const track of camera.getTracks()) track.stop()
    video.srcObject = null
  }
  // At once, even while a picture is being read.
  signal.addEventListener('abort', turnOff)
  try {
    const detect = await makeDetect()
    if (signal.aborted) return null
    video.srcObject = camera
    await video.play()
    onOpen()
    const seen = { code: '', at: 0 }
    while (!signal.aborted) {
      const code = await detect(drawn(video, video.videoWidth, video.videoHeight))
      if (signal.aborted) break
      if (!camera.active) return 'absent'
      const now = performance.now()
      if (code !== null) {
        if (code !== seen.code || now - seen.at > goneMs) onCode(code)
        Object.assign(seen, { code, at: now })
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return null
  } finally {
    signal.removeEventListener('abort', turnOff)
    turnOff()
  }
}

export async function readPicture(file: Blob): Promise<string | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  const detect = await makeDetect()
  try {
    return await detect(drawn(picture, picture.width, picture.height))
  } finally {
    picture.close()
  }
}

async function openCamera(): Promise<MediaStream | Problem> {
  // Undefined where the page is not served securely.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (!devices) return 'absent'
  try {
    return await devices.getUserMedia({ audio: false, video: { facingMode: 'environment', width: { ideal: maxSide } } })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
    return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'absent'
  }
}

/** The browser's own detector where it knows the formats of goods, else ours. */
async function makeDetect(): Promise<Detect> {
  const native = (globalThis as { BarcodeDetector?: NativeDetectorClass }).BarcodeDetector
  const supported = native ? await native.getSupportedFormats().catch(() => []) : []
  if (native && formats.every((format) => supported.includes(format))) {
    const detector = new native({ formats })
    return async (canvas) => (await detector.detect(canvas))[0]?.rawValue ?? null
  }
  const { decode } = await import('./decode-barcode.ts')
  return (canvas) => {
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height)
    return Promise.resolve(pixels ? decode(pixels) : null)
  }
}

function drawn(source: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const scale = Math.min(1, maxSide / Math.max(width, height, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d', { willReadFrequently: true })?.drawImage(source, 0, 0, canvas.width, canvas.height)
  return canvas
}
