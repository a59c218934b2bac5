import { Alert, Button, ButtonLink, ErrorSummary, Field, Logo, Panel, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { Block, FieldModel, FormModel, PageModel } from './model.ts'
import styles from './page.module.css'

/** A page of the provider: the shop's logo, one panel, a link back. */
export function Page({ model }: { model: PageModel }): ReactNode {
  const { title, intro, alert, blocks, shop, isPro, words } = model
  const errors = blocks
    .flatMap((block) => (block.kind === 'form' ? block.form.fields : []))
    .flatMap(({ name, summary }) => (summary ? [{ href: `#${name}`, message: summary }] : []))
  return (
    <>
      <a className={styles.skip} href="#content">
        {words.skip}
      </a>
      <header className={`${styles.header} on-dark`}>
        {shop ? (
          <a href={`${shop}/`} aria-label={words.home}>
            <Logo isPro={isPro} height={28} />
          </a>
        ) : (
          <Logo isPro={isPro} height={28} />
        )}
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <Panel>
          <div className={styles.panel}>
            <h1 className={styles.title}>{title}</h1>
            {alert && (
              <Alert severity={alert.severity} announces takesFocus={alert.severity === 'danger' && errors.length === 0}>
                <p>{alert.text}</p>
              </Alert>
            )}
            <ErrorSummary title={words.errors} errors={errors} />
            {intro && <p>{intro}</p>}
            {blocks.map((block, index) => (
              <BlockView key={index} block={block} words={words} />
            ))}
          </div>
        </Panel>
        {shop && (
          <p className={styles.back}>
            <a href={`${shop}/`}>{words.back}</a>
          </p>
        )}
      </main>
    </>
  )
}

function BlockView({ block, words }: { block: Block; words: PageModel['words'] }): ReactNode {
  switch (block.kind) {
    case 'text':
      return <p>{block.text}</p>
    case 'heading':
      return <h2 className={styles.heading}>{block.text}</h2>
    case 'form':
      return <FormView form={block.form} words={words} />
    case 'next':
      return (
        <ButtonLink href={block.href} wide>
          {block.label}
        </ButtonLink>
      )
    case 'links':
      return (
        <ul className={styles.links}>
          {block.links.map(({ href, label }) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      )
    case 'passkey':
      return (
        <div
          className={styles.passkey}
          data-passkey={block.id}
          data-options={block.options}
          data-action={block.action}
          data-form-key={block.formKey}
          data-automatic={block.isAutomatic ? '' : undefined}
          hidden
        >
          <p role="alert" data-failed hidden>
            {block.failed}
          </p>
          <Button type="button" look="secondary" wide icon="lock">
            {block.label}
          </Button>
        </div>
      )
    case 'secret':
      return (
        <div className={styles.secret}>
          {block.qr && (
            <img
              className={styles.qr}
              src={`data:image/svg+xml,${encodeURIComponent(block.qr.svg)}`}
              alt={block.qr.label}
              width="200"
              height="200"
            />
          )}
          <p>
            {block.label} <code className={styles.code}>{block.value}</code>
          </p>
        </div>
      )
    case 'codes':
      return (
        <ul className={styles.codes}>
          {block.codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      )
    case 'rows':
      return (
        <ul className={styles.rows}>
          {block.rows.map(({ title, text, badge, form }, index) => (
            <li key={index} className={styles.row}>
              <div>
                <p className={styles.rowTitle}>
                  {title}
                  {badge && <span className={styles.badge}>{badge}</span>}
                </p>
                <p className={styles.quiet}>{text}</p>
              </div>
              {form && <FormView form={form} words={words} />}
            </li>
          ))}
        </ul>
      )
  }
}

function FormView({ form, words }: { form: FormModel; words: PageModel['words'] }): ReactNode {
  const { first, ...asked } = form
  const { action, formKey, fields, hidden = {}, submit, look = 'primary' } = asked
  if (first)
    return (
      <details className={styles.first}>
        <summary aria-label={first.name}>{first.label}</summary>
        <p>{first.text}</p>
        <FormView form={asked} words={words} />
      </details>
    )
  return (
    <form method="post" action={action} className={styles.form} noValidate>
      <input type="hidden" name="form_key" value={formKey} />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {groupsOf(fields).map(({ group, members }) => {
        const views = members.map((field) => <FieldView key={field.name} field={field} words={words} />)
        return group === undefined ? (
          views
        ) : (
          <fieldset key={group} className={styles.group}>
            <legend className={styles.legend}>{group}</legend>
            {views}
          </fieldset>
        )
      })}
      <Button look={look} wide={fields.length > 0}>
        {submit}
      </Button>
    </form>
  )
}

/** Fields in order; neighbours of one group together. */
function groupsOf(fields: readonly FieldModel[]): { group: string | undefined; members: FieldModel[] }[] {
  const groups: { group: string | undefined; members: FieldModel[] }[] = []
  for (const field of fields) {
    const last = groups.at(-1)
    if (last && last.group === field.group) last.members.push(field)
    else groups.push({ group: field.group, members: [field] })
  }
  return groups
}

function FieldView({ field, words }: { field: FieldModel; words: PageModel['words'] }): ReactNode {
  const {
    name,
    label,
    type = 'text',
    value = '',
    hint,
    error,
    isOptional,
    group,
    options = [],
    width,
    autoComplete,
    inputMode,
    maxLength,
  } = field
  const frame = { id: name, name, label, ...(hint && { hint }), ...(error && { error }), ...(isOptional && { optional: words.optional }) }
  if (type === 'select') return <Select {...frame} options={options} defaultValue={value} required={!isOptional} />
  return (
    <Field
      {...frame}
      type={type}
      defaultValue={value}
      required={!isOptional && group === undefined}
      spellCheck={false}
      autoCapitalize={type === 'email' || type === 'password' ? 'none' : undefined}
      {...(width && { width })}
      {...(autoComplete && { autoComplete })}
      {...(inputMode && { inputMode })}
      maxLength={maxLength ?? 200}
    />
  )
}
