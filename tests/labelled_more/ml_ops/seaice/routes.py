import argparse
import pathlib

import keras
import tensorflow as tf

p = argparse.ArgumentParser()
p.add_argument("tiles", type=pathlib.Path)
p.add_argument("--epochs", type=int, default=40)
p.add_argument("--batch", type=int, default=32)
a = p.parse_args()


def read(path):
    rec = tf.io.parse_single_example(path, {"x": tf.io.FixedLenFeature([], tf.string), "y": tf.io.FixedLenFeature([], tf.string)})
    x = tf.reshape(tf.io.decode_raw(rec["x"], tf.float32), (256, 256, 3))
    y = tf.reshape(tf.io.decode_raw(rec["y"], tf.uint8), (256, 256, 1))
    return x, y


def ds(split):
    files = tf.io.gfile.glob(str(a.tiles / split / "*.tfrecord"))
    d = tf.data.TFRecordDataset(files, num_parallel_reads=8).map(read)
    return d.shuffle(2048).batch(a.batch).prefetch(2) if split == "train" else d.batch(a.batch)


i = keras.Input((256, 256, 3))
d1 = keras.layers.Conv2D(32, 3, padding="same", activation="relu")(i)
d2 = keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(d1)
u1 = keras.layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(d2)
o = keras.layers.Conv2D(5, 1, activation="softmax")(keras.layers.Concatenate()([u1, d1]))
m = keras.Model(i, o)
m.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
m.fit(
    ds("train"),
    validation_data=ds("val"),
    epochs=a.epochs,
    callbacks=[keras.callbacks.EarlyStopping(patience=5, restore_best_weights=True), keras.callbacks.CSVLogger("h.csv")],
)
m.save("routes.keras")
