import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes } from 'react'
import { cx } from './class-names.ts'
import { Icon } from './icon.tsx'
import styles from './field.module.css'

interface Frame {
  label: string
  /** Hint below the label, shown before any error. */
  hint?: string
  /** The error, and how to fix it. */
  error?: string
  /** "optional", if most fields are required. */
  optional?: string
}

export type FieldProps = Frame & {
  name: string
  /** Required for fields a browser can autofill: WCAG 1.3.5. */
  autoComplete?: string
  /** Expected length of the answer, which sets the width of the box. */
  width?: 'full' | 'half' | 'short'
  /** Prefix inside the box: "+44", "£". */
  before?: string
} & InputHTMLAttributes<HTMLInputElement>

/** Label above, hint below it, error directly above the box. No field relies on its placeholder. */
export function Field({ label, hint, error, optional, width = 'full', before, id, className, ...input }: FieldProps): ReactNode {
  const made = useId()
  const own = id ?? made
  return (
    <div className={cx(styles.field, styles[width], error && styles.wrong, className)}>
      <FieldHead id={own} label={label} hint={hint} error={error} optional={optional} />
      <div className={styles.box}>
        {before && <span className={styles.before}>{before}</span>}
        <input
          id={own}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(own, hint, error)}
          aria-required={input.required || undefined}
          autoFocus={isWrong(error)}
          {...input}
        />
      </div>
    </div>
  )
}

export type TextAreaProps = Frame & { name: string } & TextareaHTMLAttributes<HTMLTextAreaElement>

export function TextArea({ label, hint, error, optional, id, ...input }: TextAreaProps): ReactNode {
  const made = useId()
  const own = id ?? made
  return (
    <div className={cx(styles.field, error && styles.wrong)}>
      <FieldHead id={own} label={label} hint={hint} error={error} optional={optional} />
      <textarea
        id={own}
        className={styles.input}
        rows={4}
        autoFocus={isWrong(error)}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(own, hint, error)}
        {...input}
      />
    </div>
  )
}

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean
}

export type SelectProps = Frame & {
  name: string
  options: readonly SelectOption[]
  /** Visually hidden label, where the context makes it obvious. */
  quiet?: boolean
} & SelectHTMLAttributes<HTMLSelectElement>

/** The native select: it supports every keyboard and every phone. */
export function Select({ label, hint, error, optional, options, quiet, id, className, ...select }: SelectProps): ReactNode {
  const made = useId()
  const own = id ?? made
  return (
    <div className={cx(styles.field, quiet && styles.quiet, error && styles.wrong, className)}>
      <FieldHead id={own} label={label} hint={hint} error={error} optional={optional} hidden={quiet} />
      <div className={styles.selectBox}>
        <select
          id={own}
          className={styles.select}
          autoFocus={isWrong(error)}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(own, hint, error)}
          {...select}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="down" size={16} />
      </div>
    </div>
  )
}

export type CheckProps = { label: ReactNode; error?: string; hint?: string; type?: 'checkbox' | 'radio' } & Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'type'
>

/** A checkbox or radio button; its text is part of the click target. */
export function Check({ label, error, hint, type = 'checkbox', id, className, ...input }: CheckProps): ReactNode {
  const made = useId()
  const own = id ?? made
  return (
    <div className={cx(styles.check, className)}>
      {error && <FieldError id={own} error={error} />}
      <label className={styles.checkLabel}>
        <input
          type={type}
          id={own}
          className={styles.tick}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(own, hint, error)}
          {...input}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={`${own}-hint`} className={cx(styles.hint, styles.checkHint)}>
          {hint}
        </p>
      )}
    </div>
  )
}

function FieldHead({ id, label, hint, error, optional, hidden }: Frame & { id: string; hidden?: boolean }): ReactNode {
  return (
    <>
      <label htmlFor={id} className={hidden ? 'hidden' : styles.label}>
        {label}
        {optional && <span className={styles.optional}> ({optional})</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && <FieldError id={id} error={error} />}
    </>
  )
}

function FieldError({ id, error }: { id: string; error: string }): ReactNode {
  return (
    <p id={`${id}-error`} className={styles.error}>
      <Icon name="warning" size={16} />
      {error}
    </p>
  )
}

/** A refused form loads scrolled to the top: focus brings the first error into view, without a script too. */
function isWrong(error: string | undefined): true | undefined {
  return error ? true : undefined
}

function describedBy(id: string, hint?: string, error?: string): string | undefined {
  return cx(hint && `${id}-hint`, error && `${id}-error`) || undefined
}

export interface ErrorSummaryProps {
  title: string
  /** In the order of the fields; `href` is `#` and the id of the field. */
  errors: readonly { href: string; message: string }[]
}

/** Above a refused form: the errors, each linking to its field; the page opens with the focus here. */
export function ErrorSummary({ title, errors }: ErrorSummaryProps): ReactNode {
  if (errors.length === 0) return null
  return (
    <div className={styles.summary} role="alert" tabIndex={-1} autoFocus id="error-summary">
      <h2 className={styles.summaryTitle}>{title}</h2>
      <ul>
        {errors.map((error) => (
          <li key={error.href}>
            <a href={error.href}>{error.message}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
