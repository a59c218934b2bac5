import * as v from 'valibot'
import { constraintOf, type Constraint, type FormSchema } from './form-input.ts'
import { formLimits, type FileFault, type FormFields } from './form.ts'
import { refuse, type Outcome, type Refuse } from './outcomes.ts'
import { coreOf, isShape, listLimit, readInput, TooMany, type Shape } from './read-input.ts'

export interface FieldFault {
  /** Name of the field in the form. */
  field: string
  message: string
  constraint: Constraint
}

/** The refusal of a form that violates its schema. */
export interface FormRefusal {
  reason: 'input-invalid'
  message: string
  fields: FieldFault[]
}

/** The messages an action needs from its shop, in the visitor's language. */
interface Speaking {
  /** `form.check` takes neither a number nor a name. */
  t(key: `form.${Constraint}` | 'form.check', values: { limit: number; name: string }): string
}

/** The action of a page: created only by `formAction`, so that no form is accepted without a schema. */
export interface FormAction<Context, Answer extends Outcome | Refuse = Outcome | Refuse> {
  schema: FormSchema
  run(context: Context, form: FormFields): Promise<Answer>
}

/**
 * A page's action. The handler gets the parsed input; an invalid form is shown again with
 * the entered values and an error at each field. `refused` gives such a refusal the page's own shape.
 */
export function formAction<Context extends Speaking, const Schema extends FormSchema, Answer extends Outcome | Refuse>(
  schema: Schema,
  handler: (context: Context, input: v.InferOutput<Schema>, form: FormFields) => Promise<Answer>,
): FormAction<Context, Answer | Refuse<FormRefusal>>
export function formAction<Context extends Speaking, const Schema extends FormSchema, Answer extends Outcome | Refuse, Refusal>(
  schema: Schema,
  handler: (context: Context, input: v.InferOutput<Schema>, form: FormFields) => Promise<Answer>,
  refused: (context: Context, refusal: FormRefusal, form: FormFields) => Refusal,
): FormAction<Context, Answer | Refuse<Refusal>>
export function formAction<Context extends Speaking, Schema extends FormSchema, Answer extends Outcome | Refuse>(
  schema: Schema,
  handler: (context: Context, input: v.InferOutput<Schema>, form: FormFields) => Promise<Answer>,
  refused: (context: Context, refusal: FormRefusal, form: FormFields) => unknown = (_context, refusal) => refusal,
): FormAction<Context> {
  return {
    schema,
    run: async (context, form) => {
      const parsed = parse(schema, form)
      if (parsed.ok) return handler(context, parsed.input, form)
      const fields = parsed.faults.map(({ field, constraint, limit, name = '' }) => ({
        field,
        constraint,
        message: context.t(`form.${constraint}`, { limit, name }),
      }))
      return refuse(refused(context, { reason: 'input-invalid', message: context.t('form.check', { limit: 0, name: '' }), fields }, form))
    },
  }
}

interface Fault {
  field: string
  constraint: Constraint
  limit: number
  /** For the file concerned. */
  name?: string
}

function parse<Schema extends FormSchema>(
  schema: Schema,
  form: FormFields,
): { ok: true; input: v.InferOutput<Schema> } | { ok: false; faults: Fault[] } {
  try {
    const parsed = v.safeParse(schema, readInput(schema, form), { abortPipeEarly: true })
    const files = filesOf(schema)
    const refused = form.refusedFiles.map(({ field, name, fault }) => ({ field, name, ...limitOf(fault, files[field] ?? 0) }))
    if (parsed.success && refused.length === 0) return { ok: true, input: parsed.output }
    const issues = parsed.issues ?? []
    return { ok: false, faults: [...issues.map((issue) => faultOf(schema, issue)), ...refused] }
  } catch (error) {
    if (error instanceof TooMany) return { ok: false, faults: [{ field: error.field, constraint: 'too-many', limit: listLimit }] }
    throw error
  }
}

/** A missing choice is nothing to fill in: one of the options is to be chosen. */
function faultOf(schema: Shape, issue: v.BaseIssue<unknown>): Fault {
  const field = v.getDotPath(issue) ?? ''
  const { constraint, limit } = constraintOf(issue)
  const isChoice = constraint === 'required' && shapeAt(schema, field)?.type === 'picklist'
  return { field, constraint: isChoice ? 'choice' : constraint, limit }
}

const maxMegabytes = 10

function limitOf(fault: FileFault, mostFiles: number): { constraint: Constraint; limit: number } {
  return { constraint: `file-${fault}`, limit: fault === 'too-many-files' ? mostFiles : maxMegabytes }
}

/** The file fields of a form, with the maximum number of files of each. */
export function filesOf(schema: Shape): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(coreOf(schema).entries ?? {}).flatMap(([name, entry]) => {
      const [most] = (entry.pipe ?? []).flatMap((step) => (isShape(step) && step.type === 'metadata' ? (step.metadata?.files ?? []) : []))
      return most === undefined ? [] : [[name, most]]
    }),
  )
}

/** Maximum number of bytes of a form's body. */
export function bytesOf({ pipe = [] }: Shape): number {
  const steps = pipe.filter(isShape)
  return steps.find(({ metadata }) => metadata?.bytes !== undefined)?.metadata?.bytes ?? formLimits.bytes
}

/** Names of the fields in a schema. */
export type FieldName<Schema extends FormSchema> = NameIn<v.InferInput<Schema>>
type NameIn<Value> = Value extends unknown
  ? { [Key in keyof Value & string]: NameAt<Key, NonNullable<Value[Key]>> }[keyof Value & string]
  : never
type NameAt<Key extends string, Value> = Value extends readonly (infer Item)[]
  ? Item extends object
    ? `${Key}.${number}.${NameIn<Item>}`
    : Key
  : Value extends object
    ? `${Key}.${NameIn<Value>}`
    : Key

/** The name of a field, which must be in the schema: `name('offerId')`. */
export function namesOf<const Schema extends FormSchema>(_schema: Schema): (name: FieldName<Schema>) => string {
  return (name) => name
}

export interface FieldAttributes {
  id: string
  name: string
  defaultValue: string
  error: string | undefined
  required: boolean
  maxLength: number | undefined
}

/** Values and errors of a form: after a refusal the submitted input, else the known values. */
interface Shown<Schema extends FormSchema> {
  typed?: FormFields | undefined
  refusal?: { fields: readonly { field: string; message: string }[] } | undefined
  known?: (name: FieldName<Schema>) => string
}

/**
 * The fields of a schema, ready for `<Field {...field('email')} label=… />`: name, value, error, and the constraints
 * the browser can check. A name that is not in the schema does not compile.
 */
export function fieldsOf<const Schema extends FormSchema>(
  schema: Schema,
  { typed, refusal, known }: Shown<Schema> = {},
): (name: FieldName<Schema>) => FieldAttributes {
  return (name) => ({
    id: name,
    name,
    defaultValue: typed ? typed.get(name) : (known?.(name) ?? ''),
    error: refusal?.fields.find(({ field }) => field === name)?.message,
    ...checksOf(schema, name),
  })
}

/** The attributes of a field for `<Select>`, which always has one of its options. */
export function selectOf({ id, name, defaultValue, error }: FieldAttributes): Omit<FieldAttributes, 'required' | 'maxLength'> {
  return { id, name, defaultValue, error }
}

function shapeAt(schema: Shape, name: string): Shape | undefined {
  return name.split('.').reduce<Shape | undefined>((at, key) => at && coreOf(at).entries?.[key], schema)
}

function checksOf(schema: Shape, name: string): { required: boolean; maxLength: number | undefined } {
  const shape = shapeAt(schema, name)
  const steps = (shape?.pipe ?? []).filter(isShape)
  const longest = steps.find(({ type }) => type === 'max_length')
  return {
    required: steps.some(({ type }) => type === 'non_empty'),
    maxLength: longest && 'requirement' in longest && typeof longest.requirement === 'number' ? longest.requirement : undefined,
  }
}
