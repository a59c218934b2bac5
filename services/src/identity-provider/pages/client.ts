/** Passkeys, the only part of these pages that needs a script: everything else is a form. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'

type Options = Parameters<typeof startRegistration>[0]['optionsJSON'] & Parameters<typeof startAuthentication>[0]['optionsJSON']

for (const box of document.querySelectorAll<HTMLElement>('[data-passkey]')) {
  if (!browserSupportsWebAuthn()) continue
  box.hidden = false
  box.querySelector('button')?.addEventListener('click', () => void use(box))
  if (box.dataset['automatic'] !== undefined) void use(box)
}

/** Calls the device, and submits its response as a form: the server continues from there. */
async function use(box: HTMLElement): Promise<void> {
  const { passkey, options = '{}', action = '', formKey = '' } = box.dataset
  const failed = box.querySelector<HTMLElement>('[data-failed]')
  if (failed) failed.hidden = true
  try {
    const optionsJSON = JSON.parse(options) as Options
    const answer = passkey === 'create' ? await startRegistration({ optionsJSON }) : await startAuthentication({ optionsJSON })
    send(action, { form_key: formKey, passkey: JSON.stringify(answer) })
  } catch {
    if (failed) failed.hidden = false
  }
}

function send(action: string, fields: Record<string, string>): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
