import type { Server } from 'node:http'
import { BoundSocket, createServer, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Web processes of one shop accept connections from one socket. The supervisor binds it and accepts nothing: a web process inherits
 * it under several descriptors and accepts one connection through each of them per turn of its event loop. The cluster module would
 * pass on one connection per turn, which leaves hundreds waiting in the supervisor as soon as turns take long, and lets connections to a
 * process that is killed hang (V-12, V-13).
 */
export interface SharedPort {
  port: number
  /** For `stdio` of a child process, after its channel. */
  descriptors: readonly number[]
  close(): void
}

const acceptedPerTurn = 16
/** Standard input, output, error and the channel come first. */
const firstDescriptor = 4
/** A burst of visitors waits in the kernel; `net.core.somaxconn` bounds it further. */
const backlog = 4096

/** Null where sockets have no descriptors (Windows): there the cluster module passes connections on. */
export function bindSharedPort(port: number): SharedPort | null {
  return shared(bindEverywhere(port))
}

/** A free port that only this machine reaches. */
export function bindPrivatePort(): SharedPort | null {
  return shared(new BoundSocket({ host: '127.0.0.1', port: 0 }))
}

function shared(bound: BoundSocket): SharedPort | null {
  const descriptor = bound.fd()
  if (descriptor < 0) {
    bound.close()
    return null
  }
  const { port } = bound.address()
  return { port, descriptors: Array.from({ length: acceptedPerTurn }, () => descriptor), close: () => bound.close() }
}

/** All addresses of both versions, or of the fourth where the machine has no sixth. */
function bindEverywhere(port: number): BoundSocket {
  try {
    return new BoundSocket({ host: '::', port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error
    return new BoundSocket({ host: '0.0.0.0', port })
  }
}

/**
 * Listens on the inherited socket, or on a port of its own when `inherited` is 0. Returns a function that waits for the best moment to
 * close the server and ends the other listeners: the server is to be closed in the same turn.
 */
export function listenShared(server: Server, options: { port: number; inherited: number; ready: () => void }): () => Promise<void> {
  const { port, inherited, ready } = options
  if (inherited === 0) {
    server.listen(port, ready)
    return () => quietTurn(server)
  }
  server.listen(inheritedSocket(0), backlog, ready)
  const others = Array.from({ length: inherited - 1 }, (_, at) =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)).listen(
      inheritedSocket(at + 1),
      backlog,
    ),
  )
  return async () => {
    await quietTurn(server)
    for (const other of others) other.close()
  }
}

const maxQuietMs = 2000

/**
 * A turn of the event loop that was short and in which nobody connected: the last process that closes the socket resets connections
 * that it has not accepted yet.
 */
async function quietTurn(server: Server): Promise<void> {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  for (const end = performance.now() + maxQuietMs; performance.now() < end;) {
    accepted = 0
    const startedAt = performance.now()
    await nextTurn()
    if (accepted === 0 && performance.now() - startedAt < 1) break
  }
  server.off('connection', count)
}

/** Only a holder of the descriptor: without reading or writing, the socket itself starts nothing. */
function inheritedSocket(at: number): Socket {
  return new Socket({ fd: firstDescriptor + at, readable: false, writable: false })
}
