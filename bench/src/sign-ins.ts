import { hashPassword, verifyPassword } from '@purlin/services/identity-provider/password.ts'
import { ann, openStep, startTestIdentity } from '@purlin/services/identity-provider/testing.ts'
import { type Figure, figure } from './figures.ts'
import { inTurn, type Rate } from './in-turn.ts'

const atOnce = 4
const seconds = 2

/**
 * Sign-ins with argon2id as a share of bare hashing, in one process, in turn: the cost of the form, the counters, the account
 * and the protocol's response, compared with the hash, which is meant to be expensive.
 */
export async function benchSignIns(): Promise<Figure[]> {
  const identity = await startTestIdentity()
  const hash = await hashPassword(ann.password)
  const [bare, form] = await inTurn([
    () => perSecond(async () => void (await verifyPassword(ann.password, hash))),
    () =>
      perSecond(async () => {
        const { browser, page } = await openStep(identity, 'b2c')
        const end = await browser.send(page, { email: ann.email, password: ann.password })
        if (!end.address.includes('code=')) throw new Error(`Not signed in: ${end.status}`)
      }),
  ])
  await identity.server.close()
  return [
    figure('argon2id, bare', bare, 'hashes/s'),
    figure('sign-in, from the shop to the code', form, 'sign-ins/s'),
    figure('sign-ins to bare hashing', (100 * form) / bare, '%', '>= 25'),
  ]
}

async function perSecond(work: () => Promise<void>): Promise<Rate> {
  await work()
  const end = performance.now() + seconds * 1000
  let done = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        await work()
        done++
      }
    }),
  )
  return { perSecond: (done * 1000) / (performance.now() - began) }
}
