import type { IncomingMessage } from 'node:http'

/** Enough for a 10 MB photo at 1 Mbit/s, as on a train. */
export const maxUploadMs = 90_000
const maxBodyMs = 15_000
const checkMs = 10_000
/** A slower sender of a file would keep one of few places. */
const minBytesPerSecond = 5_000

/**
 * Closes a connection whose request takes too long to arrive. Node has a single timeout per server, and files need a longer one than
 * everything else (reliability A67): they may take it while they arrive at some speed.
 */
export function boundBodies(req: IncomingMessage): void {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  const isFile = req.headers['content-type']?.startsWith('multipart/form-data')
  const timer = isFile ? cutSlowSender(req) : setTimeout(() => req.socket.destroy(), maxBodyMs)
  req.once('end', () => clearTimeout(timer))
  req.once('close', () => clearTimeout(timer))
}

function cutSlowSender(req: IncomingMessage): NodeJS.Timeout {
  const { socket } = req
  let read = socket.bytesRead
  const timer = setInterval(() => {
    const received = socket.bytesRead - read
    read = socket.bytesRead
    // The sender is not to blame while we do not read.
    const isOurTurn = req.complete || req.isPaused() || req.readableLength >= req.readableHighWaterMark
    if (!isOurTurn && received < (minBytesPerSecond * checkMs) / 1000) socket.destroy()
    // A request that was answered before its end emits neither 'end' nor 'close' when its connection is closed.
    if (socket.destroyed) clearInterval(timer)
  }, checkMs)
  return timer
}
