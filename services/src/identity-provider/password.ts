import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Turns, inTurn } from './hash-turns.ts'

/** OWASP's recommendation for argon2id. A hash contains its own parameters, so these may grow. */
const today = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
export const maxPasswordLength = 200

interface Parameters {
  memory: number
  passes: number
  parallelism: number
}

function hash(password: string, nonce: Buffer, { memory, passes, parallelism }: Parameters, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { message: Buffer.from(password.normalize('NFKC')), nonce, parallelism, tagLength: length, memory, passes }
    argon2('argon2id', options, (error, tag) => (error ? reject(error) : resolve(tag)))
  })
}

/**
 * A PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. `network` is the sender's, whose share of the hashes it uses; none for work of
 * our own.
 * @throws TooBusyError
 */
export async function hashPassword(password: string, network = ''): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await inTurn(network, () => hash(password.slice(0, maxPasswordLength), nonce, today, tagLength))
  const { memory, passes, parallelism } = today
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(tag)}`
}

/**
 * Whether this is the password. For an account without one, or no account at all, the check takes as long as for a wrong
 * password: the time does not reveal whether an account exists.
 * @throws TooBusyError
 */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  network = '',
  turns: Turns = 'usual',
): Promise<boolean> {
  const known = stored ? parse(stored) : undefined
  const { parameters, nonce, tag } = known ?? { parameters: today, nonce: randomBytes(16), tag: randomBytes(tagLength) }
  const candidate = await inTurn(network, () => hash(password.slice(0, maxPasswordLength), nonce, parameters, tag.length), turns)
  return timingSafeEqual(candidate, tag) && known !== undefined
}

/** Whether this hash was made with weaker parameters than today's. */
export function isOutdated(stored: string): boolean {
  const { memory, passes } = parse(stored)?.parameters ?? { memory: 0, passes: 0 }
  return memory < today.memory || passes < today.passes
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
