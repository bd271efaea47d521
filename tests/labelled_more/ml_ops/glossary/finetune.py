from datasets import load_dataset
from peft import LoraConfig, get_peft_model
from transformers import (
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    DataCollatorForSeq2Seq,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
)

BASE = "example/mt-base-fi-en"

tok = AutoTokenizer.from_pretrained(BASE)
model = get_peft_model(AutoModelForSeq2SeqLM.from_pretrained(BASE), LoraConfig(r=16, lora_alpha=32, target_modules=["q_proj", "v_proj"]))
raw = load_dataset("json", data_files={"train": "pairs.train.jsonl", "validation": "pairs.dev.jsonl"})


def enc(b):
    return tok(b["fi"], text_target=b["en"], truncation=True, max_length=192)


data = raw.map(enc, batched=True, remove_columns=["fi", "en"])
args = Seq2SeqTrainingArguments(
    "out", per_device_train_batch_size=48, learning_rate=2e-4, num_train_epochs=4, warmup_ratio=0.05,
    eval_strategy="steps", eval_steps=500, predict_with_generate=True, bf16=True, report_to="none",
)
tr = Seq2SeqTrainer(model=model, args=args, train_dataset=data["train"], eval_dataset=data["validation"], data_collator=DataCollatorForSeq2Seq(tok, model))
tr.train(resume_from_checkpoint=False)
model.save_pretrained("adapters/law-v3")
