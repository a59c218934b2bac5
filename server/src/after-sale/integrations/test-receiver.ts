import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** For tests: a seller's program that receives messages, written from the OpenAPI document alone. */

export interface ApiDocument {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>
}
interface Message {
  id: string
  type: string
  data: Record<string, unknown>
  headers: IncomingHttpHeaders
  body: string
}

/** It takes a message with a valid signature and a body of its event's schema, and refuses all others. */
export async function startReceiver(document: ApiDocument) {
  const received: Message[] = []
  const refused: string[] = []
  let secret = ''
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)

  function statusFor(headers: IncomingHttpHeaders, body: Buffer): number {
    if (!isGenuine(secret, headers, body)) return 401
    const message = JSON.parse(body.toString()) as Pick<Message, 'type' | 'data'>
    const schema = document.webhooks[message.type]?.post.requestBody.content['application/json'].schema
    if (!schema || !ajv.validate(schema, message)) {
      refused.push(`${body.toString()}: ${ajv.errorsText()}`)
      return 400
    }
    received.push({ ...message, id: String(headers['webhook-id']), headers, body: body.toString() })
    return 200
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => response.writeHead(statusFor(request.headers, Buffer.concat(parts))).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    refused,
    /** The data of the last message about an event. */
    last: (type: string): Record<string, unknown> => received.findLast((each) => each.type === type)?.data ?? {},
    trust: (given: string) => void (secret = given),
    close: () => server.close(),
  }
}

const maxAgeSeconds = 300

/** The signature as `createWebhook` describes it. */
function isGenuine(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds)) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.`)
    .update(body)
    .digest()
  return String(signatures)
    .split(' ')
    .map((each) => each.split(','))
    .some(([version, text = '']) => version === 'v1' && isEqual(Buffer.from(text, 'base64'), expected))
}

const isEqual = (given: Buffer, expected: Buffer): boolean => given.length === expected.length && timingSafeEqual(given, expected)
