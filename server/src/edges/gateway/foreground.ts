import type { IncomingMessage, ServerResponse } from 'node:http'

/** Requests under way that documents of strangers give way to. */
export interface Foreground {
  /** Counts a request until its answer is made: how long it takes to arrive is up to its reader. */
  enter(req: IncomingMessage, res: ServerResponse): void
  /** Counts this request no longer: it is a stranger's document itself. */
  leave(req: IncomingMessage): void
  underWay(): number
}

export function createForeground(): Foreground {
  const underWay = new Set<IncomingMessage>()
  return {
    enter: (req, res) => {
      underWay.add(req)
      const leave = () => void underWay.delete(req)
      // All of it has been given to the connection, or is a stream that is read as fast as the client takes it.
      res.once('prefinish', leave)
      res.once('pipe', leave)
      res.once('close', leave)
    },
    leave: (req) => void underWay.delete(req),
    underWay: () => underWay.size,
  }
}
