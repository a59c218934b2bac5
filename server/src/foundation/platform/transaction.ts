import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from './errors.ts'
import type { Pool } from './pool.ts'
import type { Scope } from './scope.ts'
import { type UnitOfWork, unitOfWork } from './unit-of-work.ts'

/** Serialization failure and deadlock: nothing was written, and a retry meets different neighbours. */
const worthAnotherTry = new Set(['40001', '40P01'])
const tries = 4

/** The only retry wrapper: runs `work` again when the database asks for it. */
export async function withRetry<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= tries || !worthAnotherTry.has(codeOf(error) ?? '')) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/**
 * Runs `work` as one command: committed when it returns, rolled back when it throws or when its result is a refusal
 * (`ok: false`). May run more than once (see withRetry): side effects outside the database do not belong in it.
 */
export async function asCommand<Value>(pool: Pool, work: (unit: UnitOfWork) => Promise<Value>, onStatement?: () => void): Promise<Value> {
  return withRetry(async () => {
    const unit = unitOfWork(pool, onStatement)
    try {
      const value = await work(unit)
      if (isRefused(value)) await unit.rollback()
      else await unit.commit()
      return value
    } catch (error) {
      await unit.rollback()
      throw error
    }
  })
}

/**
 * Runs `work` as one command of this request, with the command's scope. Inside a command, a mutation or a job, `work`
 * joins the current transaction.
 */
export function transaction<Value>(scope: Scope, work: (command: Scope) => Promise<Value>): Promise<Value> {
  return scope.begin ? scope.begin(work) : work(scope)
}

/** A result with `ok: false`, or an API result that contains a refusal. */
export function isRefused(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { ok, refusal } = value as { ok?: unknown; refusal?: unknown }
  return ok === false || (refusal !== null && refusal !== undefined)
}
