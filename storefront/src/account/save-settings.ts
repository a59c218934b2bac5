import { askBeforeDeleting } from './saved-card-modal.ts'
import { authState, changeState } from '../session/auth-state.ts'
import {
  credentialsUpdate,
  customerProfile,
  optInUpdate,
  profileUpdate,
  RefusedChange,
  RefusedCredentials,
  updateCredentials,
  updateCustomerProfile,
  updateOptInStatus,
} from '../session/customer-flows.ts'
import { showFlash } from '../shell/show-flash.ts'
import { renewCredentials } from './renew-credentials.ts'

/** Submits a settings form. Refusals are left to the page, which shows each error at its field. */
export async function save(form: HTMLFormElement, words: DOMStringMap): Promise<void> {
  if (new FormData(form).get('do') === 'drop') return askBeforeDeleting(form)
  const button = form.querySelector('button')
  if (button?.getAttribute('aria-busy') === 'true') return
  const fields = new FormData(form)
  // A number may have to be confirmed, in a form that the next page has.
  if (fields.has('sms')) return form.submit()
  if (fields.get('do') === 'credentials') return saveCredentials(form, words)
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const isProfile = text('do') === 'profile'
  const flow = isProfile ? profileUpdate : optInUpdate
  const stop = flow.follow(({ step }) => button?.setAttribute('aria-busy', String(step === 'request')))
  form.addEventListener('input', flow.resetError, { once: true })
  const isSaved = isProfile
    ? await updateCustomerProfile({
        customerData: {
          firstName: text('firstName'),
          lastName: text('lastName'),
          phone: text('phone') || null,
          fiscalNumber: text('fiscalNumber') || null,
        },
        successMessage: words['profile'] ?? '',
        onSuccess: () => showSaved(form),
      })
    : await updateOptInStatus({
        optIns: { email: fields.has('email'), sms: fields.has('sms'), phone: text('smsPhone') || null },
        successMessage: words['offers'] ?? '',
        skipCustomerProfileReloading: true,
      })
  const state = flow.state()
  stop()
  if (isSaved || state.step !== 'failure') return
  if (state.error instanceof RefusedChange) return form.submit()
  showFlash({ severity: 'danger', message: words['failed'] ?? '' })
}

/** The reason of a refusal appears at its field; all that was typed into this form and the others stays. */
async function saveCredentials(form: HTMLFormElement, words: DOMStringMap): Promise<void> {
  const button = form.querySelector('button')
  const fields = new FormData(form)
  const stop = credentialsUpdate.follow(({ step }) => button?.setAttribute('aria-busy', String(step === 'request')))
  const isChanged = await updateCredentials({
    credentials: { currentPassword: String(fields.get('currentPassword')), newPassword: String(fields.get('newPassword')) },
    successMessage: words['credentials'] ?? '',
    skipCustomerProfileReloading: true,
    onSuccess: () => void renewCredentials(form, '', false).catch(() => form.reset()),
  })
  const state = credentialsUpdate.state()
  stop()
  if (isChanged || state.step !== 'failure') return
  credentialsUpdate.resetError()
  if (!(state.error instanceof RefusedCredentials)) return showFlash({ severity: 'danger', message: words['failed'] ?? '' })
  const { reason, minutes } = state.error.refusal
  const search = `?${new URLSearchParams({ credentials: reason, ...(minutes !== undefined && { minutes: String(minutes) }) })}`
  await renewCredentials(form, search, true).catch(() => location.assign(`${search}#credentials`))
}

/** Fields then show what was stored, such as a phone number in international format, and the header the new name. */
function showSaved(form: HTMLFormElement): void {
  const profile = customerProfile()
  if (!profile) return
  for (const name of ['firstName', 'lastName', 'phone', 'fiscalNumber'] as const) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement) {
      field.value = profile[name] ?? ''
      field.removeAttribute('aria-invalid')
    }
  }
  if (authState().isAuthenticated) changeState({ given_name: profile.firstName })
}
