import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A kernel may take nothing for long from an answer larger than its buffer, until a slow line has emptied a third of it.
 */
const maxStillMs = 60_000
/** More than the gateway keeps a connection for its next request: line ends between requests restart Node's own time limit. */
const maxIdleMs = 66_000
const checkMs = 2_000
/** Requests that wait behind one under way on the same connection; browsers send none, some programs bursts. */
const maxWaiting = 256
/** Of all connections: each holds up to 16 KB of headers. */
const maxWaitingInAll = 2000

const usualLimits = { maxStillMs, maxIdleMs, checkMs }

interface Watched {
  accepted: number
  since: number
  /** When its last request ended, or it was opened. */
  idleSince: number
}

/** Closes connections whose peer accepts nothing of an answer that waits to be sent, or has made no request for long (reliability A67). */
export function cutSilentReaders(server: Server, given: Partial<typeof usualLimits> = {}): void {
  const limits = { ...usualLimits, ...given }
  const open = new Map<Socket, Watched>()
  let timer: NodeJS.Timeout | undefined
  server.on('connection', (socket: Socket) => {
    open.set(socket, { accepted: 0, since: Date.now(), idleSince: Date.now() })
    timer ??= setInterval(() => {
      const now = Date.now()
      for (const [each, watched] of open)
        if (stillFor(each, watched, now) >= limits.maxStillMs || idleFor(each, watched, now) >= limits.maxIdleMs) each.destroy()
    }, limits.checkMs).unref()
    socket.once('close', () => {
      open.delete(socket)
      if (open.size > 0) return
      clearInterval(timer)
      timer = undefined
    })
  })
}

function stillFor(socket: Socket, watched: Watched, now: number): number {
  // `writableLength` shows a big chunk as waiting until its last byte is accepted; the handle counts bytes.
  const { _handle: handle } = socket as unknown as { _handle: { bytesWritten: number; writeQueueSize: number } | null }
  const accepted = handle ? handle.bytesWritten - handle.writeQueueSize : 0
  if (socket.writableLength === 0 || accepted !== watched.accepted) Object.assign(watched, { accepted, since: now })
  return now - watched.since
}

function idleFor(socket: Socket, watched: Watched, now: number): number {
  if (lines.has(socket)) watched.idleSince = now
  return now - watched.idleSince
}

/** Requests that wait, by the connections that have one under way. */
const lines = new WeakMap<Socket, (() => void)[]>()
let waitingInAll = 0

/** Begins a request only once the answers before it on its connection have left: pipelined answers are not made in advance. */
export function oneAtATime(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
  const { socket } = req
  const line = lines.get(socket)
  const start = () => {
    res.once('close', () => {
      const waiting = lines.get(socket) ?? []
      const next = socket.destroyed ? undefined : waiting.shift()
      waitingInAll -= next ? 1 : waiting.length
      if (next) next()
      else lines.delete(socket)
    })
    begin()
  }
  if (!line) {
    lines.set(socket, [])
    start()
  } else if (line.length < maxWaiting && waitingInAll < maxWaitingInAll) {
    line.push(start)
    waitingInAll++
  } else socket.destroy()
}
