import { countAttempt } from './attempts.ts'
import { redirect } from './http.ts'
import { type Interaction, passFirstFactor } from './pass-factors.ts'
import type { Block } from './pages/model.ts'
import { accountOfPasskey, requestOptions } from './passkeys.ts'
import { formFor, ownForm } from './visit.ts'

/** The button on the sign-in page; hidden in browsers without passkey support. */
export async function passkeySignIn(interaction: Interaction): Promise<Block> {
  const { t, start, details } = interaction
  const action = `${start}/passkey`
  return {
    kind: 'passkey',
    id: 'use',
    label: t('identity.sign-in.passkey'),
    options: await requestOptions(interaction, details.uid),
    action,
    formKey: formFor(interaction, action, [], '').formKey,
    failed: t('identity.sign-in.passkey-failed'),
  }
}

/** A passkey covers both factors: the device, and the fingerprint or code that unlocks it. */
export async function passkeyStep(interaction: Interaction): Promise<void> {
  const { context, address, details, response, start } = interaction
  const form = await ownForm(interaction)
  const isFree = form && (await countAttempt(context.pool.db, [{ quota: 'address', subject: `passkey\n${address}` }])) === undefined
  const account = isFree ? await accountOfPasskey(interaction, details.uid, form.get('passkey') ?? '') : undefined
  if (!account) return redirect(response, `${start}?passkey=failed`)
  return passFirstFactor(interaction, account, ['hwk', 'user', 'mfa'])
}
