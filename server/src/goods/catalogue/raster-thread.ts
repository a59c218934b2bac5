/** Draws an SVG into a JPEG on white: up to a quarter of a second of work, which no request of the main thread should wait for. */
import { parentPort } from 'node:worker_threads'
import { createCanvas, loadImage } from '@napi-rs/canvas'

export interface RasterRequest {
  svg: string
  width: number
  height: number
}

const quality = 82

parentPort?.on('message', ({ svg, width, height }: RasterRequest) => {
  draw(svg, width, height).then(
    (jpeg) => parentPort?.postMessage(jpeg),
    () => parentPort?.postMessage(null),
  )
})

/** Centred, as large as it fits. */
async function draw(svg: string, width: number, height: number): Promise<Uint8Array> {
  const picture = await loadImage(Buffer.from(svg))
  const scale = Math.min(width / picture.width, height / picture.height)
  const [drawnWidth, drawnHeight] = [picture.width * scale, picture.height * scale]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(picture, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight)
  return canvas.encode('jpeg', quality)
}
