import { createHash } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'

/** Whether a password is known from breaches. */
export interface BreachedPasswords {
  has(password: string): Promise<boolean>
}

/** The 49,000 most common passwords, from a package: those attackers try first. */
export function commonPasswords(): BreachedPasswords {
  const common = new Set<string>(dictionary['passwords-common'])
  return {
    async has(password) {
      const plain = password.toLowerCase()
      // "password2026!" is no better than "password".
      const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
      return common.has(plain) || (common.has(core) && core.length >= plain.length - 5) || /^(.{1,4})\1+.?$/u.test(plain) || isRun(plain)
    },
  }
}

/** "123456789012", "abcdefghijkl", "9876543210". */
function isRun(text: string): boolean {
  const steps = new Set(
    Array.from(text)
      .slice(1)
      .map((sign, at) => (sign.codePointAt(0) ?? 0) - (text.codePointAt(at) ?? 0)),
  )
  return [...steps].every((step) => step === 1 || step === -9) || [...steps].every((step) => step === -1 || step === 9)
}

/**
 * A range API with k-anonymity (such as Have I Been Pwned): it receives five digits of a SHA-1 and returns all hashes with that prefix.
 * When it is unreachable, the package's list decides.
 */
export function rangeApi(url: string, fallback: BreachedPasswords, ask: typeof fetch = fetch): BreachedPasswords {
  return {
    async has(password) {
      if (await fallback.has(password)) return true
      const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
      try {
        const response = await ask(`${url}/${digest.slice(0, 5)}`, {
          headers: { 'add-padding': 'true' },
          signal: AbortSignal.timeout(1500),
        })
        if (!response.ok) return false
        const lines = (await response.text()).slice(0, 200_000).split(/\r?\n/)
        return lines.some((line) => line.startsWith(`${digest.slice(5)}:`) && !line.endsWith(':0'))
      } catch {
        return false
      }
    },
  }
}
