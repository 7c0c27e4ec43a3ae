/** What the page of the assistant says. */
import type { AssistantTexts } from "../shapes/assistant.ts"

export const assistant: AssistantTexts = {
  question: "سؤالك",
  note: "بالإنجليزية وبكلمات بسيطة. يقرأ ما يحق لك قراءته ولا يغيّر شيئًا.",
  ask: "اسأل",
  examples: "مثل",
  asked: [
    "Why was my last payment declined?",
    "When is my money available?",
    "What is missing to go live?",
    "Which webhooks fail and why?",
    "What did fees cost last month?"
  ],
  answer: "الجواب",
  unsure: "قد لا يكون هذا ما سألت عنه. اسأل بكلمات أخرى، أو اذكر معرّفًا مثل pi_….",
  open: "افتح الصفحة التي تعرضه",
  helps: "ما يساعد",
  acts: {
    open_onboarding_status: {
      label: "عرض وضع الحساب",
      does: "يقرأ أين وصل الحساب في طريقه إلى التشغيل الفعلي. لا يغيّر شيئًا."
    },
    refresh_work_run: { label: "النظر في الخطوات من جديد", does: "يحسب الخطوات من جديد مما لدى الحساب الآن." },
    accept_tos: {
      label: "قبول الشروط",
      does: "يحفظ أنك قبلت النسخة الحالية من الشروط لهذا الحساب."
    },
    create_passthrough_session: {
      label: "فتح صفحة للبيانات السرية",
      does: "ينشئ لساعة صفحة يعطي فيها شخص ما لا ينبغي أن يسمعه أي مساعد."
    },
    open_passthrough_payout_bank: {
      label: "إعطاء الحساب المصرفي للدفعات الصادرة",
      does: "يفتح لساعة صفحة للحساب المصرفي الذي تذهب إليه الدفعات الصادرة."
    },
    open_passthrough_business_verify: {
      label: "إعطاء بيانات النشاط",
      does: "يفتح لساعة صفحة للبيانات التي يوثَّق بها نشاطك."
    },
    apply_passthrough_prefill: {
      label: "ملء المعروف مسبقًا",
      does: "يملأ حقول الصفحة المفتوحة من الحساب. لا يملأ أبدًا رقم حساب مصرفي."
    },
    plaid_link_token: { label: "بدء الربط ببنكك", does: "يبدأ ربطًا لدى مزوّد الربط المصرفي." },
    plaid_exchange: { label: "إتمام الربط ببنكك", does: "يأخذ ما أعطته صفحة البنك ويحفظه مختومًا." },
    plaid_verify_payout: { label: "توثيق الحساب المرتبط للدفعات الصادرة", does: "يجعل الحساب المصرفي المرتبط وجهة للدفعات الصادرة." },
    plaid_processor_token: { label: "الحصول على رمز لمعالج المدفوعات", does: "ينشئ رمزًا للحساب المصرفي المرتبط. يظهر مرة واحدة." },
    enable_go_live: { label: "طلب التشغيل الفعلي", does: "يطلب من المشغّل الحساب الفعلي. لا يتغير شيء قبل موافقته." }
  },
  statuses: { completed: "تم", needs_approval: "ينتظر الموافقة", failed: "لم يتم" },
  completed: "نُفّذ باسمك، وهو مدوّن في سجل التدقيق.",
  result: "النتيجة",
  fields: {
    path: "الصفحة",
    goal_progress_pct: "الخطوات المنجزة، بالمئة",
    next_step_id: "الخطوة التالية",
    work_run_id: "خطوات التشغيل",
    version: "النسخة",
    accepted_at: "وقت القبول",
    passthrough_session_id: "الجلسة",
    fields: "الحقول المملوءة",
    bank_link_id: "الربط المصرفي",
    link_token: "رمز الربط",
    expires_at: "ينتهي",
    item_id: "المعرّف لدى المزوّد",
    accounts: "الحسابات",
    destination_id: "وجهة الدفعات الصادرة",
    status: "الوضع",
    processor_token: "رمز معالج المدفوعات (يظهر مرة واحدة)",
    approval_id: "الطلب",
    live_account_id: "الحساب الفعلي",
    waits_for: "ينتظر",
    seen_at: "أين يمكن رؤيته",
    missing: "الناقص",
    error: "الرمز",
    required_scope: "الصلاحية الناقصة"
  },
  again: "اسأل شيئًا آخر"
}
