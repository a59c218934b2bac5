import type { IncomingMessage } from 'node:http'

/** A photo of 10 MB at 1 Mbit/s, as a train has it. */
export const longestUploadMs = 90_000
const longestBodyMs = 15_000

/**
 * Cuts a connection whose request takes too long to arrive. Node has one such time for a whole server, and files need a longer one
 * than everything else (reliability A67).
 */
export function boundBodies(req: IncomingMessage): void {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  if (!hasBody || req.headers['content-type']?.startsWith('multipart/form-data')) return
  const timer = setTimeout(() => req.socket.destroy(), longestBodyMs)
  req.once('end', () => clearTimeout(timer))
  req.once('close', () => clearTimeout(timer))
}
