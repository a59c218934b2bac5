import { request, type Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** For `fetch`: the shop closes connections that are idle, perhaps just as one of them is used again. */
export const onItsOwn = { headers: { connection: 'close' } }

export interface RequestOptions {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  /** Of connections that stay open. */
  agent?: Agent
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** One request with its own Host header, which `fetch` does not allow. */
export function ask(origin: string, { method = 'GET', path, headers = {}, body, agent }: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(origin + path, { method, headers, ...(agent && { agent }) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** The answer of a shop, which is asked again while it is busy, four times at most, as clients do. */
export async function untilFree<Found extends { status: number }>(call: () => Promise<Found>): Promise<Found> {
  for (let tries = 1; ; tries++) {
    const answer = await call()
    if (answer.status !== 503 || tries === 4) return answer
    await sleep(1000)
  }
}

/** Data of a GraphQL request, which is sent again to a shop that is busy for a moment. @throws with the gateway's message */
export async function queryData<Data>(origin: string, asked: RequestOptions): Promise<Data> {
  const answer = await untilFree(() => ask(origin, asked))
  const { data, errors } = JSON.parse(answer.body.toString()) as { data?: Data; errors?: unknown }
  if (!data || errors) throw new Error(`GraphQL answered ${answer.status}: ${answer.body.toString().slice(0, 400)}`)
  return data
}
