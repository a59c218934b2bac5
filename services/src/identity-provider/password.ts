import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/** OWASP's recommendation for argon2id. A hash contains its own parameters, so these may grow. */
const today = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
export const maxPasswordLength = 200

interface Parameters {
  memory: number
  passes: number
  parallelism: number
}

/** Limits on concurrent hashes and on waiting ones: beyond that, refusing is better than being late for everybody. */
const atOnce = 4
const maxQueueLength = 40
let running = 0
const waiting: (() => void)[] = []

/** More passwords are waiting than can be hashed within a few seconds. */
export class TooBusyError extends Error {}

async function digest(password: string, nonce: Buffer, parameters: Parameters, length: number): Promise<Buffer> {
  if (running >= atOnce) {
    if (waiting.length >= maxQueueLength) throw new TooBusyError('Too many passwords wait to be hashed')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await hash(password, nonce, parameters, length)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function hash(password: string, nonce: Buffer, { memory, passes, parallelism }: Parameters, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { message: Buffer.from(password.normalize('NFKC')), nonce, parallelism, tagLength: length, memory, passes }
    argon2('argon2id', options, (error, tag) => (error ? reject(error) : resolve(tag)))
  })
}

/** A PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await digest(password.slice(0, maxPasswordLength), nonce, today, tagLength)
  const { memory, passes, parallelism } = today
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(tag)}`
}

/**
 * Whether this is the password. For an account without one, or no account at all, the check takes as long as for a wrong
 * password: the time does not reveal whether an account exists.
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const known = stored ? parse(stored) : undefined
  const { parameters, nonce, tag } = known ?? parse(await dummy())!
  const candidate = await digest(password.slice(0, maxPasswordLength), nonce, parameters, tag.length)
  return timingSafeEqual(candidate, tag) && known !== undefined
}

/** Whether this hash was made with weaker parameters than today's. */
export function isOutdated(stored: string): boolean {
  const { memory, passes } = parse(stored)?.parameters ?? { memory: 0, passes: 0 }
  return memory < today.memory || passes < today.passes
}

let dummyHash: Promise<string> | undefined
function dummy(): Promise<string> {
  return (dummyHash ??= hashPassword(randomBytes(16).toString('base64url')))
}

function parse(stored: string): { parameters: Parameters; nonce: Buffer; tag: Buffer } | undefined {
  const [, memory, passes, parallelism, nonce = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored) ?? []
  if (!tag) return undefined
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** Base64 without padding, as in PHC strings. */
function plain(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
