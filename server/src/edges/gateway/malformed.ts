import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { defaultHeaders } from './default-headers.ts'

const statuses: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** Late requests answered in one turn of the event loop. */
const latePerTurn = 4
const late: Socket[] = []

/**
 * The answer to bytes that are no request, or arrive too late: with the headers of every other answer, and the end of the connection. (V-18)
 * Node finds all late requests of a server in one turn: were the connections of hundreds of slow clients closed in it, everybody else
 * would wait for a tenth of a second. (F13)
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return close(socket, error)
  if (late.push(socket) === 1) setImmediate(answerLate, error)
}

function answerLate(error: NodeJS.ErrnoException): void {
  for (const socket of late.splice(0, latePerTurn)) close(socket, error)
  if (late.length > 0) setImmediate(answerLate, error)
}

function close(socket: Socket, error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = statuses[error.code ?? ''] ?? 400
  const reason = STATUS_CODES[status] ?? ''
  const body = JSON.stringify({ error: reason })
  const headers = {
    ...defaultHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}
