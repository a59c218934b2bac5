import {
  ChangeOptInsDocument,
  ChangeProfileDocument,
  GetCustomerProfileDocument,
  type CustomerProfileFragment,
  type OptInInput,
  type ProfileInput,
  type RefusalFragment,
} from '../generated/documents.ts'
import { credentialsPath, isPasswordFault, type CredentialsRefusal } from '@purlin/contract/credentials.ts'
import { showFlash } from '../shell/show-flash.ts'
import { callApi } from './api-client.ts'
import { authState, changeState } from './auth-state.ts'
import { ask } from './graphql-client.ts'
import { loadOptInStatus } from './customer-requests.ts'
import { requestFlow } from './request-flow.ts'
import { reportToServer } from './session-client.ts'

/** The shop's response to a rejected change: each error belongs to a field. */
export class RefusedChange extends Error {
  readonly refusal: RefusalFragment
  constructor(refusal: RefusalFragment) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Null until it is loaded, and again after a failure. */
export function customerProfile(): CustomerProfileFragment | null {
  return authState().customerManagement?.profile ?? null
}

export const profileFetch = requestFlow<void, CustomerProfileFragment>(async () => {
  const found = await ask(GetCustomerProfileDocument, {}, { prefersGet: true }).catch((cause: unknown) => ({
    customerProfile: null,
    cause,
  }))
  if (!found.customerProfile) throw new Error('Could not provide the customer profile', { cause: 'cause' in found && found.cause })
  return found.customerProfile
})

/** Loads the profile of a signed-in customer. */
export async function loadProfile(): Promise<CustomerProfileFragment | null> {
  const { userId } = authState()
  if (userId === null) return null
  const profile = await profileFetch.run()
  const state = profileFetch.state()
  // Another person may have signed in meanwhile.
  if (authState().userId !== userId) return null
  changeState({ customerManagement: { profile } })
  if (state.step === 'failure') reportToServer('CUSTOMER_PROFILE', state.error)
  return profile
}

export const profileUpdate = requestFlow(async (input: ProfileInput) => taken((await ask(ChangeProfileDocument, { input })).result))
export const optInUpdate = requestFlow(async (input: OptInInput) => taken((await ask(ChangeOptInsDocument, { input })).result))

/** A new password, and the one it replaces. */
export interface Credentials {
  currentPassword: string
  newPassword: string
}

export class RefusedCredentials extends Error {
  readonly refusal: CredentialsRefusal
  constructor(refusal: CredentialsRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/** The provider takes its time over a password, and the shop calls it several times. */
const credentialsTimeoutMs = 20_000

export const credentialsUpdate = requestFlow<Credentials, true>(async (credentials) => {
  const response = await callApi(credentialsPath, { body: { ...credentials, json: true }, timeoutMs: credentialsTimeoutMs })
  if (response.ok) return true
  const { reason, minutes }: Partial<CredentialsRefusal> = await response.json()
  if (!isPasswordFault(reason)) throw new Error(`The change of the password was answered with ${response.status}`)
  throw new RefusedCredentials({ reason, ...(minutes !== undefined && { minutes }) })
})

function taken({ refusal, codeRefusal }: { refusal?: RefusalFragment | null; codeRefusal?: RefusalFragment | null }): true {
  const refused = refusal ?? codeRefusal
  if (refused) throw new RefusedChange(refused)
  return true
}

interface After {
  /** The profile on this page is not updated. */
  skipCustomerProfileReloading?: boolean
  /** Shown on success. */
  successMessage?: string
  onSuccess?: () => void
}

/** Customer profile update. */
export async function updateCustomerProfile({ customerData, ...after }: After & { customerData: ProfileInput }): Promise<boolean> {
  return finish(await profileUpdate.run(customerData), after)
}

/** Credentials update. */
export async function updateCredentials({ credentials, ...after }: After & { credentials: Credentials }): Promise<boolean> {
  return finish(await credentialsUpdate.run(credentials), after)
}

/** Opt-in status update; the auth state follows. */
export async function updateOptInStatus({ optIns, ...after }: After & { optIns: OptInInput }): Promise<boolean> {
  const isDone = await finish(await optInUpdate.run(optIns), after)
  if (isDone) changeState(await loadOptInStatus().catch(() => ({ optin_status: null })))
  return isDone
}

async function finish(isTaken: true | null, { skipCustomerProfileReloading, successMessage, onSuccess }: After): Promise<boolean> {
  if (!isTaken) return false
  if (!skipCustomerProfileReloading) await loadProfile()
  if (successMessage) showFlash({ severity: 'success', message: successMessage })
  onSuccess?.()
  return true
}
