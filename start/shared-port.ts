import type { Server } from 'node:http'
import { BoundSocket, createServer, Socket } from 'node:net'

/**
 * Web processes of one shop accept connections from one socket. The supervisor binds it and accepts nothing: a web process inherits
 * it under several descriptors and accepts one connection through each of them per turn of its event loop. The cluster module would
 * pass on one connection per turn, which leaves hundreds waiting in the supervisor as soon as turns take long, and lets connections to a
 * process that is killed hang (V-12, V-13).
 */
export interface SharedPort {
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
  const bound = bindEverywhere(port)
  const descriptor = bound.fd()
  if (descriptor < 0) {
    bound.close()
    return null
  }
  return { descriptors: Array.from({ length: acceptedPerTurn }, () => descriptor), close: () => bound.close() }
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

/** Listens on the inherited socket, or on a port of its own when `inherited` is 0. Returns what ends accepting, at once. */
export function listenShared(server: Server, options: { port: number; inherited: number; ready: () => void }): () => void {
  const { port, inherited, ready } = options
  if (inherited === 0) {
    server.listen(port, ready)
    return () => undefined
  }
  server.listen(inheritedSocket(0), backlog, ready)
  const others = Array.from({ length: inherited - 1 }, (_, at) =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)).listen(
      inheritedSocket(at + 1),
      backlog,
    ),
  )
  return () => {
    for (const other of others) other.close()
  }
}

/** Only a holder of the descriptor: without reading or writing, the socket itself starts nothing. */
function inheritedSocket(at: number): Socket {
  return new Socket({ fd: firstDescriptor + at, readable: false, writable: false })
}
