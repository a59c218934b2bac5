import type { IncomingMessage } from 'node:http'

/** Enough for a 10 MB photo at 1 Mbit/s, as on a train. */
export const maxUploadMs = 90_000
const maxBodyMs = 15_000

/**
 * Closes a connection whose request takes too long to arrive. Node has a single timeout per server, and uploads need a longer one
 * than everything else (reliability A67).
 */
export function boundBodies(req: IncomingMessage): void {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (!hasBody || req.headers['content-type']?.startsWith('multipart/form-data')) return
  const timer = setTimeout(() => req.socket.destroy(), maxBodyMs)
  req.once('end', () => clearTimeout(timer))
  req.once('close', () => clearTimeout(timer))
}
