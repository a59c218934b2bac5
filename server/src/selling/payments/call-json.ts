import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { traceHeader, traced } from '#platform'

const agents = { http: new HttpAgent({ keepAlive: true, maxSockets: 32 }), https: new HttpsAgent({ keepAlive: true, maxSockets: 32 }) }
const maxResponseLength = 4_000_000

export interface JsonCall {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: object
  signal: AbortSignal
}

/** One JSON request over a keep-alive connection. @throws on timeout, a broken connection or a response that is not JSON */
export function callJson(call: JsonCall): Promise<{ status: number; json: unknown }> {
  return traced(`${call.method} payment provider`, { kind: 'client' }, () => send(call))
}

function send({ method, url, headers, body, signal }: JsonCall): Promise<{ status: number; json: unknown }> {
  const target = new URL(url)
  const secure = target.protocol === 'https:'
  const payload = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = (secure ? httpsRequest : httpRequest)(
      target,
      {
        method,
        agent: secure ? agents.https : agents.http,
        signal,
        headers: {
          accept: 'application/json',
          ...(payload !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
          ...traceHeader(),
          ...headers,
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size > maxResponseLength) answer.destroy(new Error('The response is too long'))
          else parts.push(part)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          try {
            resolve({ status: answer.statusCode ?? 0, json: JSON.parse(Buffer.concat(parts).toString('utf8')) })
          } catch (error) {
            reject(new Error(`The response of ${target.host} is not JSON`, { cause: error }))
          }
        })
      },
    )
    sent.on('error', reject)
    sent.end(payload)
  })
}
