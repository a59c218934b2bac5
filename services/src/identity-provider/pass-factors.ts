import type { Provider } from 'oidc-provider'
import { type Account, findAccount, hasSamePassword } from './accounts.ts'
import { redirect } from './http.ts'
import { rememberNetwork } from './known-networks.ts'
import { hasSecondFactor } from './second-factor.ts'
import { endSession } from './sessions.ts'
import { rememberBrowser } from './sign-in.ts'
import { showError, type Visit } from './visit.ts'

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/** An interaction between the shop's authorisation request and its response. */
export interface Interaction extends Visit {
  details: Details
  /** Address of the sign-in page; the other steps are below it. */
  start: string
}

/** State after the first factor: stored on the server, found only through this interaction's cookie. */
interface FirstFactor {
  accountId: string
  amr: string[]
  at: number
}

/** Minutes between the first factor and the second. */
const patienceMs = 10 * 60_000

/** After the first factor: requires the second if there is or must be one, else returns to the shop. */
export async function passFirstFactor(interaction: Interaction, account: Account, amr: string[]): Promise<void> {
  const { context, details, response, start, realm } = interaction
  const hasSecond = await hasSecondFactor(context.pool.db, account)
  if (!amr.includes('mfa') && (hasSecond || realm === 'staff')) {
    const first: FirstFactor = { accountId: account.id, amr, at: Date.now() }
    details.lastSubmission = { first }
    await details.persist()
    return redirect(response, `${start}/${hasSecond ? 'second' : 'set-up'}`)
  }
  return complete(interaction, account, amr)
}

/** The account that has just passed the first factor in this interaction. */
export async function firstFactorOf({ context, realm, details }: Interaction): Promise<{ account: Account; amr: string[] } | undefined> {
  const first = details.lastSubmission?.['first'] as FirstFactor | undefined
  if (!first || Date.now() - first.at > patienceMs) return undefined
  const account = await findAccount(context.pool.db, realm, first.accountId)
  return account && { account, amr: first.amr }
}

/**
 * Returns to the shop, signed in. A password changed at this very moment ends the sign-in too: the change removes what has been stored
 * before it, and what is stored after it is found to be too late.
 */
export async function complete(interaction: Interaction, account: Account, amr: string[]): Promise<void> {
  const { context, realm, details, provider, request, response } = interaction
  const own = await provider.Session.get(provider.createContext(request, response))
  if (own.accountId && own.accountId !== account.id) {
    // Another person was signed in here: their session ends, and this is a new one.
    await endSession(context.pool.db, context, { realm, id: own.accountId }, own.uid)
    delete details.session
    await details.persist()
  }
  const result = { login: { accountId: account.id, amr }, create: {} }
  const back = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false })
  if (!(await hasSamePassword(context.pool.db, account))) {
    await details.destroy()
    return showError(interaction, 400)
  }
  rememberBrowser(interaction, account)
  await rememberNetwork(interaction, account)
  redirect(response, back)
}
