import type { Language } from '@purlin/contract/markets.ts'

/** A page as data, decided by its request. `page.tsx` renders it with the shop's components. */
export interface PageModel {
  language: Language
  isPro: boolean
  title: string
  intro?: string
  alert?: { severity: 'info' | 'success' | 'warning' | 'danger'; text: string }
  blocks: Block[]
  /** The shop the visitor came from. */
  shop: string | undefined
  words: { back: string; skip: string; errors: string; optional: string; home: string }
}

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'form'; form: FormModel }
  | { kind: 'links'; links: { href: string; label: string }[] }
  /** The next step of a page without a form. */
  | { kind: 'next'; href: string; label: string }
  /** A passkey needs a script: the button appears only with one. */
  | { kind: 'passkey'; id: string; label: string; options: string; action: string; formKey: string; isAutomatic?: boolean; failed: string }
  | { kind: 'secret'; label: string; value: string; qr?: { svg: string; label: string } }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'rows'; rows: { title: string; text: string; badge?: string; form?: FormModel }[] }

export interface FormModel {
  action: string
  formKey: string
  fields: FieldModel[]
  hidden?: Record<string, string>
  submit: string
  look?: 'primary' | 'secondary' | 'danger' | 'quiet'
  /** For what cannot be undone: the form appears below its consequences, opened by this label. `name` says which of several is meant. */
  first?: { label: string; name?: string; text: string }
}

export interface FieldModel {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'select'
  autoComplete?: string
  inputMode?: 'numeric' | 'email' | 'text'
  value?: string
  hint?: string
  error?: string
  /** The field and its error, for the summary above the form. */
  summary?: string
  isOptional?: boolean
  /** A group of fields of which one is enough, named by this sentence: none of them is required alone. */
  group?: string
  width?: 'half' | 'short'
  maxLength?: number
  options?: { value: string; label: string }[]
}
