import type { ReactNode } from 'react'
import account from '../account/account.module.css'

interface Props {
  title: string
  /** What is in force at present. */
  state: string
  note?: string | false
  /** The form that changes it, whose button says to what. */
  children: ReactNode
}

/** A setting of a company with its present state, so that the button below it is not taken for one. */
export function Setting({ title, state, note, children }: Props): ReactNode {
  return (
    <div className={account.card}>
      <h3 className={account.heading}>{title}</h3>
      <p>{state}</p>
      {note && <p className={account.quiet}>{note}</p>}
      {children}
    </div>
  )
}
