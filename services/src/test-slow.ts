import { connect, type Socket } from 'node:net'

/** A connection of a sender that never finishes: this text at once, then a letter every 200 ms. */
export function dripInto(port: number, text: string): { socket: Socket; received: () => string; closedAfterMs: Promise<number> } {
  const startedAt = Date.now()
  let received = ''
  const socket = connect(port, '127.0.0.1', () => socket.write(text)).on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => (received += String(chunk)))
  const drip = setInterval(() => socket.writable && socket.write('x'), 200)
  const closedAfterMs = new Promise<number>((resolve) =>
    socket.once('close', () => {
      clearInterval(drip)
      resolve(Date.now() - startedAt)
    }),
  )
  return { socket, received: () => received, closedAfterMs }
}

/** Headers, and a body, that are never complete. */
export const endless = {
  headers: 'GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: ',
  body: 'POST /health HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{',
}
