/**
 * Preloaded into every process of the shop; in the one of the embedded services it makes calls of their APIs fail as a file in CLOCK_DIR
 * says (F8, F19): "500", "garbage", "slow", or "lost", which does the work and closes the connection instead of answering. Writes the file
 * "services.met" when a call has met it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Server } from 'node:http'
import { join } from 'node:path'

const folder = process.env.CLOCK_DIR
if (folder && process.argv[1]?.endsWith('start/services.ts')) {
  let illness = ''
  setInterval(() => {
    try {
      illness = readFileSync(join(folder, 'services'), 'utf8')
    } catch {
      illness = ''
    }
  }, 100).unref()
  const emit = Server.prototype.emit
  Server.prototype.emit = function (event, ...given) {
    const [request, response] = given
    // Forms of buyers are left alone: a person would see the page and try again.
    if (event !== 'request' || illness === '' || !request.headers.authorization) return emit.call(this, event, ...given)
    writeFileSync(join(folder, 'services.met'), '')
    if (illness === '500') return response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"internal"}')
    if (illness === 'garbage') return response.writeHead(200, { 'content-type': 'application/json' }).end('<html>Bad gateway')
    if (illness === 'slow') return setTimeout(() => emit.call(this, event, ...given), 7000)
    response.end = function () {
      request.socket.destroy()
      return this
    }
    return emit.call(this, event, ...given)
  }
}
