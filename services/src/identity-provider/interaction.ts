import { errors } from 'oidc-provider'
import { findAccount } from './accounts.ts'
import { redirect } from './http.ts'
import { byMailStep, forgottenStep } from './mail-steps.ts'
import { type Interaction, passFirstFactor } from './pass-factors.ts'
import { passkeyStep } from './passkey-step.ts'
import { registerStep } from './register-step.ts'
import { enroll, recoveryStep, secondStep } from './second-step.ts'
import { signInStep } from './sign-in-step.ts'
import { spendTicket } from './tickets.ts'
import { type PageRequest, fromParameters, showError, visitOf } from './visit.ts'

const steps: Record<string, (interaction: Interaction) => Promise<void>> = {
  '': signInStep,
  register: registerStep,
  forgotten: forgottenStep,
  'by-mail': byMailStep,
  second: secondStep,
  recovery: recoveryStep,
  'set-up': enroll,
  passkey: passkeyStep,
}

/** The pages that authenticate a visitor. */
export async function interact(asked: PageRequest): Promise<void> {
  const { server, request, response, path } = asked
  const provider = server.provider()
  const details = await provider.interactionDetails(request, response).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  })
  const visit = visitOf(asked, fromParameters(asked.context, details?.params ?? {}))
  const [, start = '', step = ''] = /^(\/realms\/\w+\/interaction\/[\w-]+)(?:\/(.*))?$/.exec(path) ?? []
  if (!details || !start.endsWith(`/${details.uid}`)) return showError(visit, 400)
  const interaction: Interaction = { ...visit, details, start }
  const ticket = /^continue\/([\w-]{43})$/.exec(step)?.[1]
  if (ticket) return proceed(interaction, ticket)
  const handle = Object.hasOwn(steps, step) ? steps[step] : undefined
  if (!handle) return showError(visit, 404)
  // The shop may request the registration page (`prompt=create`).
  if (step === '' && request.method === 'GET' && details.prompt.name === 'create' && visit.realm !== 'staff')
    return redirect(response, `${start}/register`)
  if (step === '' && request.method === 'GET' && details.params['purlin_step'] === 'forgotten') {
    // Once: from there the way to the sign-in page is open.
    delete details.params['purlin_step']
    await details.persist()
    return redirect(response, `${start}/forgotten`)
  }
  return handle(interaction)
}

/** Continues after a mail link was opened in the same browser. */
async function proceed(interaction: Interaction, value: string): Promise<void> {
  const spent = await spendTicket(interaction, interaction.details.uid, value)
  const account = spent && (await findAccount(interaction.context.pool.db, interaction.realm, spent.accountId))
  if (!account) return showError(interaction, 400)
  return passFirstFactor(interaction, account, spent.amr)
}
