import type { VatAnswer } from './vat-state.ts'

/** A register of VAT numbers. An outage is an answer too (`unanswered`): nothing is thrown but the caller's own abort. */
export interface VatService {
  /** `requester` is our own VAT number: with it the register gives a consultation number, which is the proof. */
  check(number: string, options: { requester: string | null; signal: AbortSignal }): Promise<VatAnswer>
}

export interface JsonReply {
  status: number
  /** Undefined where the body is no JSON. */
  json: unknown
}

/** Registers answer within seconds or not at all. */
const timeoutMs = 6000
const maxBodyLength = 20_000

/** One request. Null when the register cannot be reached, is too slow, or answers without end. */
export async function fetchJson(url: string, { signal, ...init }: RequestInit & { signal: AbortSignal }): Promise<JsonReply | null> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
    const text = await bounded(response)
    return { status: response.status, json: text === null ? undefined : parsed(text) }
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}

async function bounded(response: Response): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > maxBodyLength) return null
  }
  return text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Text a register gives about a trader; null where it keeps that to itself ("---"). */
export function disclosed(value: string | null | undefined): string | null {
  const text = value?.replace(/(?<!\s)\s*\n\s*/g, ', ').trim() ?? ''
  return text === '' || /^-+$/.test(text) ? null : text.slice(0, 500)
}

export function unanswered(fault: string, body: unknown = null): VatAnswer {
  return { outcome: 'unanswered', fault: fault.slice(0, 100), body }
}
