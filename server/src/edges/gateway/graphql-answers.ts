import type { GatewayAnswer } from '@purlin/contract/gateway.ts'
import type { FastifyReply } from 'fastify'
import { TooManyError, settings } from '#platform'
import { statusOf } from './error-answer.ts'
import type { InnerAnswer } from './execute.ts'
import { isLongerThan } from './is-longer.ts'
import { limits } from './limits.ts'

export function send(reply: FastifyReply, answer: InnerAnswer): FastifyReply {
  return answer.text ? sendBytes(reply, [answer], answer.text) : sendAll(reply, [answer], () => toBody(answer))
}

export function sendBatch(reply: FastifyReply, answers: InnerAnswer[]): FastifyReply {
  return sendAll(reply, answers, () => answers.map(toBody))
}

export function failed(message: string, code: string, status: number): InnerAnswer {
  return { data: null, errors: [{ message, extensions: { code, status } }], statements: 0, isRefused: true }
}

export function tooMany(retryAfterSeconds: number): InnerAnswer {
  const { message, code, status } = new TooManyError(retryAfterSeconds)
  return { data: null, errors: [{ message, extensions: { code, status, retryAfter: retryAfterSeconds } }], statements: 0 }
}

/** An answer that is far too long is not even serialised. */
function sendAll(reply: FastifyReply, answers: InnerAnswer[], body: () => object): FastifyReply {
  const isFarTooLong = isLongerThan(
    answers.map(({ data }) => data),
    limits.answerBytes,
  )
  return isFarTooLong ? send(reply, tooLong(answers)) : sendBytes(reply, answers, Buffer.from(JSON.stringify(body())))
}

function tooLong(answers: readonly InnerAnswer[]): InnerAnswer {
  return {
    ...failed(`The answer is longer than ${limits.answerBytes} bytes`, 'TOO_EXPENSIVE', 400),
    statements: answers.reduce((sum, each) => sum + each.statements, 0),
    setCookies: answers.flatMap((each) => each.setCookies ?? []),
  }
}

function sendBytes(reply: FastifyReply, answers: InnerAnswer[], body: Buffer): FastifyReply {
  if (body.length > limits.answerBytes) return send(reply, tooLong(answers))
  const status = answers.length === 1 && answers[0] ? statusOf(answers[0]) : 200
  const statements = answers.reduce((sum, each) => sum + each.statements, 0)
  const setCookies = answers.flatMap((each) => each.setCookies ?? [])
  reply.code(status).header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store')
  // For tests and the bench; the public must not learn how expensive a request is for us.
  if (!settings().isPublic) reply.header('x-sql-statements', statements)
  const retryAfter = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions?.retryAfter ?? 0))
  if (answers[0]?.errors?.[0]?.extensions?.code?.startsWith('API_KEY')) reply.header('www-authenticate', 'ApiKey')
  if (status === 503 || status === 429) reply.header('retry-after', String(Math.max(1, ...retryAfter)))
  for (const line of setCookies) reply.header('set-cookie', line)
  return reply.send(body)
}

function toBody({ data, errors }: GatewayAnswer): object {
  return errors ? { data: data ?? null, errors } : { data }
}
